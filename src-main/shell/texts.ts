import { en as messagesEn } from '../core/messages/en/en.ts'
import { zh as messagesZh } from '../core/messages/zh/zh.ts'

const en = {
  messages: messagesEn,
  product: 'Handset',
  already: 'Handset runs already with this data: its window comes to the front. Options given now change nothing.',
  unsandboxed:
    'Without Chromium’s sandbox no window is opened. Install the .deb, which allows it on this system, or run `handset start`, which opens the page in a browser.',
  unguarded:
    'The packaged program starts without switches that let other programs into its window. Run `handset start --no-window` and open the page in a browser instead.',
  failedToStart: 'Handset cannot start',
  unexpected: (reason: string) => `An unexpected error stopped the start: ${reason}`,
  noTray: (reason: string) => `The tray icon could not be shown: ${reason}`,
  noShortcut: (key: string) =>
    `Another program has the key ${key}. Scan with the menu, or quit that program and start again.`,
  close: 'Close',
  load: { failed: 'The page could not be loaded', again: 'Try Again', quit: 'Quit Handset' },
  crashed: {
    title: 'The window has crashed',
    detail: (reason: string) => `Its process has ended (${reason}). The service and the phones go on; nothing is lost.`,
  },
  about: (versions: string) =>
    `${versions}\nHandset and Electron: MIT licence. Packages in Handset: THIRD-PARTY-LICENCES.txt in its resources. Chromium and what it contains: LICENSES.chromium.html in Electron’s distribution.`,
  menu: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    help: 'Help',
    phones: 'Phones',
    appearance: 'Appearance',
    recent: 'Open Recent',
    noRecent: 'No Other Data Directories',
    show: 'Show Handset',
    scan: 'Scan a Code on the Screen',
    browser: 'Open in the Browser',
    keepRunning: 'Keep Running When the Window Is Closed',
    rehearse: 'Check Before a Talk',
    logs: 'Show Logs',
    system: 'As the System',
    light: 'Light',
    dark: 'Dark',
    quit: 'Quit Handset',
  },
  /** Electron would label these only in English. */
  roles: {
    about: 'About Handset',
    services: 'Services',
    hide: 'Hide Handset',
    hideOthers: 'Hide Others',
    unhide: 'Show All',
    quit: 'Quit Handset',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    reload: 'Reload',
    toggleDevTools: 'Toggle Developer Tools',
    resetZoom: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    togglefullscreen: 'Toggle Full Screen',
    minimize: 'Minimize',
    zoom: 'Zoom',
    front: 'Bring All to Front',
    close: 'Close Window',
  },
  camera: {
    title: 'Let the page use the camera?',
    detail: 'The picture stays on this computer. The answer holds until Handset is closed.',
    yes: 'Allow',
    no: 'Don’t Allow',
  },
  push: {
    body: (phone: string) => `A request has arrived at ${phone}.`,
    waiting: (count: number) => (count === 1 ? '1 push waits' : `${count} pushes wait`),
    lost: (cause: string) => `Pushes are shown on this page only. The system showed no notification: ${cause}`,
    unsupported: 'it has none.',
  },
  recent: {
    gone: 'The data directory is no longer there',
    detail: (folder: string) => `${folder}\nIt was removed from the list.`,
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
  rehearsal: {
    title: 'Check before a talk',
    good: 'Ready: a trial registration and sign-in worked, and nothing needs a network.',
    elsewhere: (address: string) =>
      `Not ready: ${address} is not on this computer. Start Handset without --public-url.`,
    missing: (file: string) => `Not ready: the page lacks ${file}. Install or build Handset again.`,
    failed: (reason: string) => `Not ready: a trial sign-in failed. ${reason}`,
  },
  link: { refused: 'This link was not followed' },
  file: { refused: 'This file was not opened' },
}

export type Texts = Omit<typeof en, 'messages'> & { readonly messages: typeof messagesEn | typeof messagesZh }

const zh: Texts = {
  messages: messagesZh,
  product: 'Handset',
  already: 'Handset 已在使用这些数据运行，其窗口会显示到最前。本次给出的选项不起作用。',
  unsandboxed:
    '没有 Chromium 沙箱就不会打开窗口。请安装 .deb 包（它在此系统上允许沙箱），或运行 `handset start`，在浏览器中打开页面。',
  unguarded:
    '打包后的程序不接受会让其他程序进入其窗口的开关。请改为运行 `handset start --no-window`，并在浏览器中打开页面。',
  failedToStart: 'Handset 无法启动',
  unexpected: (reason) => `启动因意外错误而停止：${reason}`,
  noTray: (reason) => `无法显示托盘图标：${reason}`,
  noShortcut: (key) => `快捷键 ${key} 已被其他程序占用。请用菜单扫描，或退出该程序后重新启动。`,
  close: '关闭',
  load: { failed: '无法加载页面', again: '重试', quit: '退出 Handset' },
  crashed: {
    title: '窗口已崩溃',
    detail: (reason) => `其进程已结束（${reason}）。服务和手机仍在运行，没有丢失任何数据。`,
  },
  about: (versions) =>
    `${versions}\nHandset 与 Electron：MIT 许可证。Handset 所含软件包：见其资源目录中的 THIRD-PARTY-LICENCES.txt。Chromium 及其组件：见 Electron 发行包中的 LICENSES.chromium.html。`,
  menu: {
    file: '文件',
    edit: '编辑',
    view: '视图',
    window: '窗口',
    help: '帮助',
    phones: '手机',
    appearance: '外观',
    recent: '最近打开',
    noRecent: '没有其他数据目录',
    show: '显示 Handset',
    scan: '扫描屏幕上的二维码',
    browser: '在浏览器中打开',
    keepRunning: '关闭窗口后继续运行',
    rehearse: '演示前检查',
    logs: '显示日志',
    system: '跟随系统',
    light: '浅色',
    dark: '深色',
    quit: '退出 Handset',
  },
  roles: {
    about: '关于 Handset',
    services: '服务',
    hide: '隐藏 Handset',
    hideOthers: '隐藏其他',
    unhide: '全部显示',
    quit: '退出 Handset',
    undo: '撤销',
    redo: '重做',
    cut: '剪切',
    copy: '复制',
    paste: '粘贴',
    selectAll: '全选',
    reload: '重新加载',
    toggleDevTools: '切换开发者工具',
    resetZoom: '实际大小',
    zoomIn: '放大',
    zoomOut: '缩小',
    togglefullscreen: '切换全屏',
    minimize: '最小化',
    zoom: '缩放',
    front: '全部置于顶层',
    close: '关闭窗口',
  },
  camera: {
    title: '允许此页面使用摄像头吗？',
    detail: '画面不会离开这台电脑。此选择在 Handset 关闭前有效。',
    yes: '允许',
    no: '不允许',
  },
  push: {
    body: (phone) => `${phone} 收到一个请求。`,
    waiting: (count) => `${count} 条推送待处理`,
    lost: (cause) => `推送只显示在此页面上。系统未显示通知：${cause}`,
    unsupported: '系统不支持通知。',
  },
  recent: { gone: '数据目录已不存在', detail: (folder) => `${folder}\n已将其从列表中移除。` },
  scan: {
    title: '扫描屏幕',
    link: '扫描二维码',
    found: (phone) => `${phone} 已读取二维码。`,
    noPhone: '没有可用于扫描的手机。',
    noScreen: '没有屏幕画面。',
    denied: '此系统不允许 Handset 查看屏幕。请在系统的隐私设置中允许，然后重新启动 Handset。',
  },
  rehearsal: {
    title: '演示前检查',
    good: '已就绪：试注册和试登录成功，且全程不需要网络。',
    elsewhere: (address) => `未就绪：${address} 不在本机。请不带 --public-url 启动 Handset。`,
    missing: (file) => `未就绪：页面缺少 ${file}。请重新安装或构建 Handset。`,
    failed: (reason) => `未就绪：试登录失败。${reason}`,
  },
  link: { refused: '未打开此链接' },
  file: { refused: '未打开此文件' },
}

const LANGUAGES = { en, zh }

/** The texts in the system's language, once `selectTexts` was called. */
export let texts: Texts = en

/** Selects the first known language: `zh-Hans-CN` as on macOS and Windows, `zh_CN.UTF-8` as on Linux. */
export const selectTexts = (languages: readonly string[]): void => {
  const names = languages.map((language) => language.split(/[-_.]/)[0] ?? '')
  const known = names.find((name): name is keyof typeof LANGUAGES => Object.hasOwn(LANGUAGES, name))
  texts = LANGUAGES[known ?? 'en']
}
