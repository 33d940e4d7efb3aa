import { LogOut } from 'lucide-react'
import { useBenchPart } from '../bench/use-bench.ts'
import { shortDate } from '../ui/format.ts'
import { Button, Chip, Dot, Problem } from '../ui/primitives.tsx'
import { SectionHead } from '../ui/section-head.tsx'
import { texts } from '../ui/texts.ts'
import { useRepeatedQuery, useRunAction } from '../ui/use-asked.ts'
import styles from './devices-page.module.css'
import { Table } from './table.tsx'

export const DevicesPage = () => {
  const words = texts.console.devicesPage
  const phones = useBenchPart((state) => state.phones)
  const { act, problem } = useRunAction()
  // Fetched again when a phone signs in or out.
  const key = phones.map(({ device_id }) => device_id ?? '').join()
  const [answer, again] = useRepeatedQuery(
    async (client) => ({ ...(await client.call('accounts.list')), ...(await client.call('devices.list')) }),
    key,
  )
  const signOut = async (id: string) =>
    again(await act((client) => client.call('devices.sign-out', { params: { id } })))
  return (
    <>
      <SectionHead of="page" title={texts.console.devices} lead={words.lead} />
      <Problem problem={problem} />
      {answer?.accounts.length === 0 ? <p className="note">{words.none}</p> : null}
      {answer?.accounts.map((account) => {
        const devices = answer.devices.filter((device) => device.account === account.id)
        return (
          <section key={account.id} className={styles.account} aria-label={words.accountOf(account.name)}>
            <SectionHead title={account.name}>
              <code className="small faint">{account.phone}</code>
              {account.protected ? <Chip tone="neutral">{words.protected}</Chip> : null}
            </SectionHead>
            <Table
              heads={[words.device, words.id, words.inbox, words.since]}
              actions={texts.console.phonesPage.signOut}
              none={words.noDevice}
            >
              {devices.map((device) => (
                <tr key={device.id}>
                  <td>{device.name}</td>
                  <td>
                    <code>{device.id}</code>
                  </td>
                  <td>
                    <span className="row gap-8">
                      <Dot tone={device.connected ? 'ok' : 'neutral'} />
                      {device.connected ? words.listening : words.away}
                    </span>
                  </td>
                  <td>{shortDate(device.created_at)}</td>
                  <td>
                    <Button
                      Icon={LogOut}
                      size={13}
                      small
                      look="ghost"
                      aria-label={words.signOutOf(device.name)}
                      onClick={() => void signOut(device.id)}
                      text={texts.console.phonesPage.signOut}
                    />
                  </td>
                </tr>
              ))}
            </Table>
          </section>
        )
      })}
    </>
  )
}
