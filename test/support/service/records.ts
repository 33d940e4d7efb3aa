import type { CredentialRecord, DeviceRecord, MessageRecord, RpRecord } from '../../../src-main/service/store/store.ts'

export const rpRecord = (id: string): RpRecord => ({
  id,
  name: id,
  rp_id: 'shop.example',
  origins: ['https://shop.example', 'https://www.shop.example'],
  handle_key: 'AAAA',
  created_at: 1,
})

export const deviceRecord = (id: string, more: Partial<DeviceRecord> = {}): DeviceRecord => ({
  id,
  account: 'acc',
  name: id,
  token_hash: `hash of ${id}`,
  push_count: 0,
  created_at: 1,
  ...more,
})

export const messageRecord = (id: string, more: Partial<MessageRecord> = {}): MessageRecord => ({
  id,
  rp: 'rp',
  kind: 'registration',
  user_id: 'u1',
  username: 'u',
  display_name: 'd',
  credential_name: 'c',
  challenge: 'AAAA',
  state: 'init',
  svc_user: '',
  error: '',
  created_at: 0,
  expires_at: 100,
  ...more,
})

export const credentialRecord = (id: string, more: Partial<CredentialRecord> = {}): CredentialRecord => ({
  id,
  rp: 'rp',
  user_id: 'u1',
  name: id,
  storage: 'chip',
  account: 'acc',
  device: 'dev',
  public_key: 'AAAA',
  algorithm: -7,
  counter: 5,
  aaguid: '00000000-0000-0000-0000-000000000000',
  attestation_format: 'none',
  transports: ['internal'],
  backup_eligible: true,
  backup_state: false,
  user_verified: true,
  created_at: 1,
  updated_at: 1,
  ...more,
})
