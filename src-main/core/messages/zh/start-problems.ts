import { textOf } from '../../protocol/coded.ts'
import type { Messages } from '../messages.ts'
import { reasons } from './reasons.ts'

const FILE: Readonly<Record<string, string>> = {
  ENOENT: '无法在该处创建',
  EEXIST: '是文件，此处应为文件夹',
  ENOTDIR: '位于文件之下，而不是文件夹之下',
  EISDIR: '是文件夹，此处应为文件',
  EACCES: '不允许当前用户访问',
  EPERM: '不允许当前用户访问',
  EROFS: '无法写入：磁盘为只读',
  ENOSPC: '无法写入：磁盘已满',
  EDQUOT: '无法写入：用户的磁盘配额已用完',
  ENAMETOOLONG: '的名称过长',
  ELOOP: '是指向自身的链接',
}

export const systemRefusals: Messages['systemRefusals'] = {
  database_says: ({ message }) => `无法使用数据库：${message}。`,
  file_refused: ({ file = '其中的一个文件', errno, message }) =>
    Object.hasOwn(FILE, errno) ? `${file} ${FILE[errno]}。` : `系统报告：${message}。`,
}

export const certificateProblems: Messages['certificateProblems'] = {
  no_certificate: '其中没有 PEM 格式的证书',
  certificate_expired: ({ at }) => `证书已于 ${at} 过期`,
  certificate_not_yet: ({ from }) => `证书从 ${from} 起才有效`,
  openssl_refuses: ({ message }) => `OpenSSL 拒绝了它：${message}`,
  no_private_key: '其中没有 PEM 格式的私钥',
  key_encrypted: '它已加密；请用 openssl pkey 写成不带密码的形式',
  key_of_another: '它是另一个证书的私钥',
}

const URL_SHAPE = '应为 postgres://USER:PASSWORD@HOST:PORT/DATABASE。'

export const databaseUrls: Messages['databaseUrls'] = {
  not_a_url: `它不是 URL。${URL_SHAPE}`,
  not_postgres: ({ protocol }) => `它以 ${protocol}// 开头。${URL_SHAPE}`,
  schema_unfit: ({ got }) => `schema 只能包含小写字母、数字和 _，最多 63 个字符，以字母开头；收到的是“${got}”。`,
  pool_unfit: ({ got, most }) => `pool 必须是 2 至 ${most} 的整数；收到的是“${got}”。`,
  notifications_unfit: ({ got }) => `notifications 必须是 on 或 off；收到的是“${got}”。`,
}

const LISTEN: Readonly<Record<string, string>> = {
  EADDRINUSE: '已被其他程序占用；可用 --port 指定其他端口，0 表示任一空闲端口',
  EACCES: '当前用户无权使用',
  EADDRNOTAVAIL: '本机没有此地址',
  ENOTFOUND: '没有此主机名',
}

const upTo = ({ version, known }: { version: number; known: number }): string =>
  `的版本为 ${version}；此程序最高支持版本 ${known}。请使用更新的 handset。`

export const startProblems: Messages['startProblems'] = {
  directory_in_use: ({ path, pid, since }) =>
    pid === undefined
      ? `数据目录 ${path} 正被另一个进程使用。`
      : `数据目录 ${path} 正被进程 ${pid} 使用${since === undefined ? '' : `（自 ${since} 起）`}。`,
  directory_refused: ({ path, cause }) =>
    `无法使用数据目录 ${path}：${textOf(systemRefusals, cause)}请移走妨碍的文件，或指定其他目录。`,
  directory_newer: (versions) => `数据目录${upTo(versions)}`,
  no_version_in: ({ file }) => `${file} 中没有版本号。`,
  database_refused: ({ file, message }) => `无法使用数据库 ${file}：${message}。请将其移走，或指定其他数据目录。`,
  database_unreadable: ({ file, cause }) => `无法读取数据库 ${file}：${textOf(systemRefusals, cause)}`,
  database_newer: (versions) => `数据库${upTo(versions)}`,
  phones_refused: ({ file, message }) => `无法使用手机数据库 ${file}：${message}。请将其移走，或指定其他数据目录。`,
  phones_newer: ({ file, ...versions }) => `手机数据库 ${file} ${upTo(versions)}`,
  main_damaged: ({ path, problem }) =>
    `${path} 中的工作区 main 已损坏。${textOf(reasons, problem)}请恢复该目录的副本，或指定其他目录。`,

  no_postgres_driver: '缺少 pg 包。请安装到 handset 旁：npm install pg。',
  postgres_refused: ({ shown, message }) => `无法使用数据库 ${shown}：${message}。`,
  postgres_newer: ({ shown, ...versions }) => `数据库 ${shown} ${upTo(versions)}`,
  bench_place_taken: ({ shown, pid, host }) =>
    `数据库 ${shown} 已有一个工作台：${host} 上的进程 ${pid}。请停止它，或以 --role service 启动此进程。`,
  bench_place_lost: ({ shown, pid, host, seconds }) =>
    `数据库 ${shown} 现在由另一个工作台使用：${host} 上的进程 ${pid}。此工作台超过 ${seconds} 秒没有响应。`,

  seed_refused: () => '无法按选项和配置文件设置工作台：',
  phone_refused: ({ name }) => `无法创建手机“${name}”：`,

  authority_refused: ({ file, folder, problem }) =>
    `${file}：${textOf(certificateProblems, problem)}。删除文件夹 ${folder} 后会创建新的 CA。`,
  cannot_listen: ({ host, port, errno }) =>
    `无法监听 ${host.includes(':') ? `[${host}]` : host}:${port}：${LISTEN[errno] ?? errno}。`,
  port_of_handset: ({ port, directory }) =>
    `无法监听端口 ${port}：已被另一个 Handset 占用${directory === undefined ? '' : `，其数据目录为 ${directory}`}。可用 npx handset open 打开它的页面；用 --port 指定其他端口，0 表示任一空闲端口。`,

  bench_file_unreadable: ({ file, message }) => `无法读取 ${file}：${message}。`,
  bench_file_damaged: ({ file }) => `${file} 没有说明工作台的地址。请重新启动该目录的工作台。`,
}
