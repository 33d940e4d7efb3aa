import type { LinkProblemParams } from '../../contract/link-problems.ts'
import type { Texts } from '../text.ts'

export const links: Texts<LinkProblemParams> = {
  link_too_long: ({ length, longest }) => `链接最多 ${longest} 个字符，此链接有 ${length} 个。`,
  link_unreadable: '这不是 Handset 的链接。可用的形式为 handset:show、handset:open?url=… 或 handset:scan?url=…',
  link_unknown: ({ action, known }) => `Handset 没有名为“${action}”的链接。可用的有：${known.join('、')}。`,
  link_parameters_unreadable: '链接的参数必须是 name=value 形式，并使用百分号编码。',
  link_parameter_twice: ({ name }) => `链接中 ${name} 出现了两次。`,
  link_parameter_unknown: ({ action, name }) => `链接 ${action} 没有参数 ${name}。`,
  link_parameter_missing: ({ action, name }) => `链接 ${action} 缺少参数 ${name}。`,
  link_without_code: '链接中的地址不是登录二维码的地址。',
  link_to_no_place: '该链接没有指向 Handset 页面上的任何位置。请使用页面上的“复制链接”。',
  link_of_other_bench: ({ origin, own }) =>
    `该链接指向 ${origin}，而此工作台是 ${own}。请在浏览器中打开，或启动它所属的工作台。`,
  link_id_unfit: ({ name }) => `链接的参数 ${name} 必须是一个 ID。`,
  link_not_alone: '链接必须是唯一的参数。',
  file_elsewhere: ({ path }) => `${path} 不是本机上的 .handset 文件。请先复制到本机，再打开。`,
  file_not_plain: ({ path }) => `${path} 是链接、文件夹或设备。请打开文件本身。`,
  file_too_large: ({ path, bytes, largest }) =>
    `${path} 有 ${bytes} 字节，最多只能打开 ${largest} 字节。请改用 \`handset show\`。`,
  file_unreadable: ({ path, reason }) => `无法读取 ${path}：${reason}。`,
  file_not_taken: ({ name }) => `未打开 ${name}：页面正在显示其他内容。请把文件拖到窗口上。`,
  hand_over_of_other_version: '启动的是另一个版本的 Handset。请先退出当前程序，然后重新启动。',
}
