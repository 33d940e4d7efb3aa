import { contextBridge } from 'electron'

/** Tells the page that it is in the desktop window; everything else goes through the control interface. */
contextBridge.exposeInMainWorld('handsetShell', { host: 'electron', platform: process.platform })
