import { shellWord } from '../core/protocol/shell-word.ts'
import { HELP_OPTION, makeCommand } from './command.ts'
import { misuse } from './command-end.ts'
import { describeOption, OPTIONS, type Option } from './options.ts'
import { withSecretFiles } from './read-options.ts'
import { SUMMARIES } from './summaries.ts'

export const completion = makeCommand(
  {
    name: 'completion',
    usage: 'bash | zsh | fish',
    more: [
      'Bash: handset completion bash > ~/.local/share/bash-completion/completions/handset',
      'Zsh: handset completion zsh > DIR/_handset, where DIR is in $fpath.',
      'Fish: handset completion fish > ~/.config/fish/completions/handset.fish',
    ],
  },
  async ({ positionals: [shell = '', stranger] }, environment) => {
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (write === undefined || stranger !== undefined) return misuse('name one shell: bash, zsh or fish.')
    environment.terminal.out(write().join('\n'))
    return 0
  },
)

type Row = Pick<Option, 'value' | 'short'> & { readonly name: string; readonly help: string }

const commands = Object.entries(SUMMARIES).map(([name, help]) => ({ name, help }))

const rowsOf = (command: string): readonly Row[] =>
  Object.entries(withSecretFiles({ ...(OPTIONS as Readonly<Record<string, object>>)[command], ...HELP_OPTION })).map(
    ([name, option]) => ({ ...option, name, help: describeOption(option) }),
  )

const FOLDER = 'DIR'
const FILES: ReadonlySet<string> = new Set(['FILE', 'PATH', 'KEY'])

const lettersOf = ({ name, short }: Row): readonly string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]

/** Completions after an option. They depend on the command: --out is a file in one and a folder in another. */
const valueCases = (command: string): readonly string[] => {
  const taking = (isKind: (value: string) => boolean, action: string): readonly string[] => {
    const rows = rowsOf(command).filter(({ value }) => value !== undefined && isKind(value))
    return rows.length === 0 ? [] : [`        ${rows.flatMap(lettersOf).join('|')}) ${action}return ;;`]
  }
  const cases = [
    ...taking((value) => value === FOLDER, 'COMPREPLY=($(compgen -d -- "$word")); '),
    ...taking((value) => FILES.has(value), 'COMPREPLY=($(compgen -f -- "$word")); '),
    ...taking((value) => value !== FOLDER && !FILES.has(value), ''),
  ]
  return cases.length === 0 ? [] : ['      case $before in', ...cases, '      esac']
}

const bash = (): readonly string[] => [
  '_handset() {',
  // Bash hands over the word to complete and the one before it.
  '  local word=$2 before=$3 options=',
  '  COMPREPLY=()',
  '  if [ "$COMP_CWORD" = 1 ]; then',
  `    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$word"))`,
  '    return',
  '  fi',
  `  case \${COMP_WORDS[1]} in`,
  ...commands.flatMap(({ name }) => [
    `    ${name})`,
    ...valueCases(name),
    `      options='${rowsOf(name).flatMap(lettersOf).join(' ')}'`,
    '      ;;',
  ]),
  '  esac',
  '  case $word in',
  '    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;',
  '    *) COMPREPLY=($(compgen -f -- "$word")) ;;',
  '  esac',
  '}',
  'complete -o filenames -F _handset handset',
]

const zsh = (): readonly string[] => {
  const quoted = (help: string): string => help.replace(/[[\]:\\]/g, '\\$&')
  const action = (value: string): string => (value === FOLDER ? '_files -/' : FILES.has(value) ? '_files' : ' ')
  const spec = (row: Row): readonly string[] =>
    lettersOf(row).map((letters) => {
      const value = row.value === undefined ? '' : `:${quoted(row.value)}:${action(row.value)}`
      return shellWord(`*${letters}[${quoted(row.help)}]${value}`)
    })
  return [
    '#compdef handset',
    'local -a commands',
    `commands=(${commands.map(({ name, help }) => shellWord(`${name}:${quoted(help)}`)).join(' ')})`,
    'if (( CURRENT == 2 )); then _describe command commands; return; fi',
    'shift words; (( CURRENT-- ))',
    'case $words[1] in',
    ...commands.map(
      ({ name }) => `  ${name}) _arguments ${[...rowsOf(name).flatMap(spec), "'*:file:_files'"].join(' ')} ;;`,
    ),
    'esac',
  ]
}

const fish = (): readonly string[] => {
  // Within single quotes, fish has only the escapes \\ and \'.
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const option = (command: string, { name, short, value, help }: Row): string =>
    [
      `complete -c handset -n '__fish_seen_subcommand_from ${command}' -l ${name}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(value === undefined ? [] : FILES.has(value) ? ['-r'] : ['-x']),
      ...(value === FOLDER ? ["-a '(__fish_complete_directories)'"] : []),
      `-d ${quoted(help)}`,
    ].join(' ')
  return commands.flatMap(({ name, help }) => [
    `complete -c handset -f -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
    ...rowsOf(name).map((row) => option(name, row)),
  ])
}

const SHELLS: Readonly<Record<string, () => readonly string[]>> = { bash, zsh, fish }
