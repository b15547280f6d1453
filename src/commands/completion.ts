/**
 * `wiedemann completion SHELL`: scripts that complete the words of the command line in bash, zsh and fish: verbs, their
 * options, the values of those that have a list, families of `generate`, and files for everything else.
 *
 * A script holds all that it completes, so that a key costs no run of the program.
 */

import type { Command } from 'commander';
import { FAMILIES } from '../../data/families.js';
import { type ShownOption, type ShownVerb, verbsOf } from './command-tree.js';
import { writeOut } from './standard-output.js';
import { UsageError } from './usage-error.js';

const SCRIPTS: Readonly<Record<string, (verbs: readonly ShownVerb[]) => string>> = { bash, zsh, fish };

export async function run([shell = 'none', ...more]: readonly string[], program: Command): Promise<void> {
  const script = SCRIPTS[shell];
  if (script === undefined || more.length > 0)
    throw new UsageError(`expected ${Object.keys(SCRIPTS).join(', ')}, got ${[shell, ...more].join(' ')}`);
  await writeOut(script(verbsOf(program)));
}

const namesOf = ({ short, long }: ShownOption): string[] => (short === null ? [long] : [short, long]);

/** Where no word is offered, readline offers files. */
function bash(verbs: readonly ShownVerb[]): string {
  const values = verbs.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        (option) =>
          `    ${namesOf(option)
            .map((flag) => `'${name} ${flag}'`)
            .join('|')}) words='${option.choices.join(' ')}' ;;`,
      ),
  );
  const flags = verbs.map(({ name, options }) => `      ${name}) words='${options.flatMap(namesOf).join(' ')}' ;;`);
  return `# Completion of wiedemann in bash: source <(wiedemann completion bash)
_wiedemann() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} verb=\${COMP_WORDS[1]} words=''
  if (( COMP_CWORD == 1 )); then
    words='${verbs.map(({ name }) => name).join(' ')} --help --version'
  elif (( COMP_CWORD == 2 )) && [[ $verb == generate && $cur != -* ]]; then
    words='${FAMILIES.map(({ name }) => name).join(' ')}'
  elif [[ $cur == -* ]]; then
    case $verb in
${flags.join('\n')}
    esac
  else case "$verb $prev" in
${values.join('\n')}
  esac; fi
  COMPREPLY=()
  [[ -n $words ]] && mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _wiedemann wiedemann
`;
}

function zsh(verbs: readonly ShownVerb[]): string {
  const quote = (text: string): string => text.replaceAll("'", "'\\''");
  const inBrackets = (text: string): string => quote(text).replace(/[[\]:\\]/g, '\\$&');
  const specOf = (option: ShownOption): string => {
    const names = namesOf(option);
    const head = names.length > 1 ? `'(${names.join(' ')})'{${names.join(',')}}` : `'${names[0]}'`;
    const { value, choices } = option;
    const values = value === null ? '' : `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}`;
    return `${head}'[${inBrackets(option.description)}]${values}'`;
  };
  const caseOf = ({ name, options }: ShownVerb): string => {
    const words =
      name === 'generate' ? `'1:family:(${FAMILIES.map((family) => family.name).join(' ')})'` : "'*:file:_files'";
    return `    ${name}) _arguments ${[...options.map(specOf), words].join(' \\\n      ')} ;;`;
  };
  return `#compdef wiedemann
# Completion of wiedemann in zsh: source <(wiedemann completion zsh), or a file _wiedemann in a folder of fpath.
_wiedemann() {
  local -a verbs
  verbs=(
${verbs.map(({ name, description }) => `    '${name}:${quote(description).replaceAll(':', '\\:')}'`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
${verbs.map(caseOf).join('\n')}
  esac
}
if [[ $funcstack[1] == _wiedemann ]]; then _wiedemann "$@"; else compdef _wiedemann wiedemann; fi
`;
}

function fish(verbs: readonly ShownVerb[]): string {
  const quote = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
  const lines = verbs.flatMap(({ name, description, options }) => [
    `complete -c wiedemann -n __fish_use_subcommand -f -a ${name} -d ${quote(description)}`,
    ...options.map(({ short, long, value, choices, description: text }) => {
      const flags = `${short === null ? '' : `-s ${short.slice(1)} `}-l ${long.slice(2)}`;
      const values = value === null ? '' : choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : ' -r';
      return `complete -c wiedemann -n '__fish_seen_subcommand_from ${name}' ${flags}${values} -d ${quote(text)}`;
    }),
  ]);
  const families = FAMILIES.map(({ name }) => name).join(' ');
  return `# Completion of wiedemann in fish: wiedemann completion fish | source
${lines.join('\n')}
complete -c wiedemann -n '__fish_seen_subcommand_from generate' -f -a '${families}'
`;
}
