/** Everything the shell says, in one place and in one language. */
export const texts = {
  product: 'Handset',
  already: 'Handset runs already with this data: its window comes to the front. Options given now change nothing.',
  unsandboxed:
    'Without Chromium’s sandbox no window is opened. Install the .deb, which allows it on this system, or run `handset start`, which opens the page in a browser.',
  unguarded:
    'The packaged program starts without switches that let other programs into its window. Run `handset start --no-window` and open the page in a browser instead.',
  failedToStart: 'Handset cannot start',
  unexpected: (reason: string) => `An unexpected error stopped the start: ${reason}`,
  noTray: (reason: string) => `The tray icon could not be shown: ${reason}`,
  close: 'Close',
  load: {
    failed: 'The page could not be loaded',
    again: 'Try Again',
    quit: 'Quit Handset',
  },
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    phones: 'Phones',
    show: 'Show Handset',
    scan: 'Scan a Code on the Screen',
    browser: 'Open in the Browser',
    keepRunning: 'Keep Running When the Window Is Closed',
    quit: 'Quit Handset',
  },
  camera: {
    title: 'Let the page use the camera?',
    detail: 'The picture stays on this computer. The answer holds until Handset is closed.',
    yes: 'Allow',
    no: 'Don’t Allow',
  },
  push: {
    body: (phone: string) => `A request has arrived at ${phone}.`,
  },
  scan: {
    title: 'Scanning the screen',
    link: 'Scanning a code',
    found: (phone: string) => `${phone} has read the code.`,
    noPhone: 'There is no phone on the bench to scan with.',
    noScreen: 'There is no picture of the screen.',
    denied:
      'This system does not let Handset see the screen. Allow it in the system’s privacy settings, then start Handset again.',
  },
  link: {
    refused: 'This link was not followed',
  },
} as const
