export { ControlError } from './client.ts'
export { HandsetError, StartError } from './errors.ts'
export { connectHandset, type Handset, startHandset } from './handset.ts'
