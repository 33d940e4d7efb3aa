import type { Coded, ParamsOf } from '../protocol/coded.ts'

type Action = { readonly action: string }
type Named = { readonly name: string }
type OfFile = { readonly path: string }

/** Why a link or a file that the desktop program was given is not opened, in English. */
export const links = {
  link_too_long: ({ length, longest }: { length: number; longest: number }) =>
    `A link has at most ${longest} characters; this one has ${length}.`,
  link_unreadable: 'This is not a link of Handset. It reads handset:show, handset:open?url=… or handset:scan?url=…',
  link_unknown: ({ action, known }: Action & { known: readonly string[] }) =>
    `Handset has no link "${action}". It knows: ${known.join(', ')}.`,
  link_parameters_unreadable: 'The parameters of the link must be name=value, percent-encoded.',
  link_parameter_twice: ({ name }: Named) => `The link gives ${name} twice.`,
  link_parameter_unknown: ({ action, name }: Action & Named) => `The link ${action} takes no parameter ${name}.`,
  link_parameter_missing: ({ action, name }: Action & Named) => `The link ${action} needs the parameter ${name}.`,
  link_without_code: 'The address in the link is not the address of a sign-in code.',
  link_to_no_place: 'The link leads to no place on the page of Handset. Use Copy link on the page.',
  link_of_other_bench: ({ origin, own }: { origin: string; own: string }) =>
    `The link leads to ${origin}, and this bench is ${own}. Open it in a browser, or start the bench it belongs to.`,
  link_id_unfit: ({ name }: Named) => `The parameter ${name} of the link must be an ID.`,
  link_not_alone: 'A link must be the only argument.',
  file_elsewhere: ({ path }: OfFile) => `${path} is not a .handset file on this computer. Copy it here, then open it.`,
  file_not_plain: ({ path }: OfFile) => `${path} is a link, a folder or a device. Open the file itself.`,
  file_too_large: ({ path, bytes, largest }: OfFile & { bytes: number; largest: number }) =>
    `${path} has ${bytes} bytes, and ${largest} at most are opened. Use \`npx handset show\` for it.`,
  file_unreadable: ({ path, reason }: OfFile & { reason: string }) => `${path} cannot be read: ${reason}.`,
  file_not_taken: ({ name }: Named) =>
    `${name} was not opened: the page shows something else. Drop the file on the window.`,
  hand_over_of_other_version: 'Another version of Handset was started. Quit this one first, then start it again.',
}

export type LinkProblem = Coded<ParamsOf<typeof links>>
