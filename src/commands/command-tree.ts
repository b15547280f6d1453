/** The verbs with their arguments and options, as commander holds them: what completion and manual are made of. */
import type { Command, Option } from 'commander';

export interface ShownOption {
  readonly short: string | null; // -p
  readonly long: string; // --mod
  readonly value: string | null; // <p>
  readonly description: string;
  /** The words that the description lists; none where values are numbers or names of files. */
  readonly choices: readonly string[];
}

export interface ShownVerb {
  readonly name: string;
  readonly description: string;
  readonly words: readonly { readonly term: string; readonly description: string }[];
  readonly options: readonly ShownOption[];
}

export function verbsOf(program: Command): ShownVerb[] {
  return program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    words: [
      ...stageOf(command),
      ...command.registeredArguments.map((word) => ({
        term: `${word.required ? '<' : '['}${word.name()}${word.variadic ? '...' : ''}${word.required ? '>' : ']'}`,
        description: word.description,
      })),
    ],
    options: [...optionsOf(command), HELP],
  }));
}

/** The word that a verb of several stages begins with. */
function stageOf({ commands }: Command): ShownVerb['words'] {
  if (commands.length === 0) return [];
  const description = commands.map((stage) => `${stage.name()}: ${stage.description()}`).join('; ');
  return [{ term: '<stage>', description }];
}

/** Those of all stages, where a verb has several. */
function optionsOf(command: Command): ShownOption[] {
  const all = [command, ...command.commands].flatMap(({ options }) => options.map(shown));
  return [...new Map(all.map((option) => [option.long, option])).values()];
}

const HELP: ShownOption = {
  short: '-h',
  long: '--help',
  value: null,
  description: 'the options of the verb',
  choices: [],
};

function shown({ short, long, flags, description }: Option): ShownOption {
  const value = /<[^>]*>/.exec(flags)?.[0] ?? null;
  return { short: short ?? null, long: long!, value, description, choices: value === null ? [] : listIn(description) };
}

/** 'auto, cpu or gpu: where' → auto, cpu, gpu; nothing for a text that begins with no such list. */
function listIn(description: string): string[] {
  const words = description.split(/[:;]/, 1)[0]!.split(/,? or |, /);
  return words.length > 1 && words.every((word) => /^[a-z][a-z0-9-]*$/.test(word)) ? words : [];
}
