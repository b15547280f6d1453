/**
 * The scripts with which Slurm makes a run that is planned in parts: an array of tasks, a part each, then the
 * generator, then the verification.
 *
 *   time limit   Slurm sends USR1 before it: its stage ends at a checkpoint with code 75, or by KILL if none comes,
 *                and its job is queued again, unless nothing has been kept at some limits in a row
 *   requeue      Slurm sends TERM, by preemption or by hand, and queues the job itself, however its stage ends; by a
 *                second request it would end a job that has begun again
 *   killed       a stage that something kills is queued again, some times; what is wrong for good is not
 *   late         a part that is made is told to who makes it, too, as USR2: the shell ends what it started, and well.
 *                Who made it looks for parts that are late (slurm-again.ts), look.sbatch once more later
 *
 * stops-JOB has a line for each end at a checkpoint, or by TERM, which is no kill; idle-JOB one for each time limit
 * since something was kept: an array of the stage's own that is newer than began-JOB.
 *
 * The shell of a job stays, since Node could not queue its own job again after its end. It passes TERM on as USR1: a
 * second TERM, which Slurm may send to Node itself, would end it at once. Its traps start nothing:
 * bash leaves its wait, and no trap says why, where a signal comes while one does. Where one comes as a child ends,
 * bash may lose how that ended, and says -1 however often it is asked: the child counts as killed, and is made again.
 */
import { arraysOf } from '../../algorithms/block-wiedemann/kept-attempt.js';
import { HIDING } from '../../kernels/platform/nvidia.js';
import { shellCommand, shellWord } from './shell-words.js';
import { WORDS } from './slurm-jobs.js';

type Stage = 'krylov' | 'generator' | 'verify';

export interface SlurmRun {
  readonly directory: string; // absolute
  readonly program: readonly string[]; // words of the command `wiedemann`
  readonly tasks: number;
  readonly gpus: ReadonlySet<Stage>; // stages that have something to do for one
  readonly bytes: Readonly<Record<Stage, number>> | null; // of the host's memory, where they are known
  readonly cpusPerTask: number | null;
  readonly time: string | null; // as sbatch takes it
  readonly patience: number | null; // seconds (late-parts.ts); null where no part is made again while it is made
}

/** The folder of scripts and of what jobs print; its name is no name of an array (src/io/run-folder.ts). */
export const SCRIPTS = 'slurm_scripts';

/** Seconds before a time limit at which jobs are told: time for a checkpoint of some GB. */
export const NOTICE = 120;

/** What a process takes beside what is counted: Node and its threads; with a GPU its driver, and words on their way. */
const OWN_BYTES = 512 * 2 ** 20;
const DRIVER_BYTES = 2 ** 30;

/** How often a job is queued again that was killed; that it was at a time limit, or preempted, does not count. */
const TRIES = 5;

/** Time limits in a row at which nothing has been kept: what comes before takes longer than there is. */
const IDLE = 3;

/** Seconds before each try to queue a job again, where the controller is busy or starts again. */
const PAUSES = [0, 5, 10, 20];

/** Seconds behind a notice in which a stage ends: a matrix is read, and orders are searched, in longer pieces. */
const GRACE = NOTICE - PAUSES.reduce((sum, pause) => sum + pause, 5);

/** As many as a task asks for cores, here or by a word of submit.sh; the program chooses where it asks for none. */
const THREADS = `\${SLURM_CPUS_PER_TASK:+--threads "$SLURM_CPUS_PER_TASK"}`;

/** Codes of what may be other on another machine, or later: the system refuses, or the disk is full. */
const PASSING = [71, 74];

/** Texts by the names of the files. */
export function slurmScripts(run: SlurmRun): Readonly<Record<string, string>> {
  const { directory, tasks } = run;
  const part = `krylov ${shellWord(directory)} --part "$SLURM_ARRAY_TASK_ID"`;
  return {
    'krylov.sbatch': script(run, 'krylov', [`--array=0-${tasks - 1}`], 'krylov-%a', part),
    'generator.sbatch': script(run, 'generator', [], 'generator', `generator ${shellWord(directory)}`),
    'verify.sbatch': script(run, 'verify', [], 'verify', `verify ${shellWord(directory)}`, ' > rank.txt'),
    ...(run.patience === null ? {} : { 'look.sbatch': look(run, run.patience) }),
    'submit.sh': submission(`${directory}/${SCRIPTS}`),
  };
}

/**
 * Vulkan opens the first GPU that it can. Where Slurm leaves those of other tasks open, /dev/null takes their places,
 * as in kernels/platform/nvidia.ts; Slurm's numbers are those of the nodes, as CUDA takes them, too.
 */
const ALONE = `alone=() own= others=()
for node in /dev/nvidia[0-9]*; do
  [ -r "$node" ] || continue
  case ",$SLURM_JOB_GPUS," in *",\${node#/dev/nvidia},"*) own=1 ;; *) others+=("$node") ;; esac
done
if [ -n "$own" ] && [ \${#others[@]} -gt 0 ]; then
  alone=(unshare --mount --propagation slave)
  [ "$EUID" = 0 ] || alone+=(--user --map-root-user)
  alone+=(sh -c '${HIDING}' sh \${#others[@]} "\${others[@]}")
  if ! "\${alone[@]}" true; then
    alone=()
    echo "slurm: the GPUs of other tasks cannot be hidden here, and tasks on one node may take the same: expected ConstrainDevices=yes in cgroup.conf"
  fi
fi
`;

function script(
  run: SlurmRun,
  stage: Stage,
  more: readonly string[],
  log: string,
  words: string,
  redirection = '',
): string {
  const { directory, program, gpus, bytes, cpusPerTask, time, patience } = run;
  const looks = stage === 'krylov' && patience !== null;
  const device = gpus.has(stage) ? 'gpu' : 'cpu';
  const beside = OWN_BYTES + (device === 'gpu' ? DRIVER_BYTES : 0);
  const options = [
    `--job-name=wiedemann-${stage}`,
    ...more,
    '--ntasks=1',
    ...(device === 'gpu' ? ['--gpus-per-task=1'] : []),
    ...(cpusPerTask === null ? [] : [`--cpus-per-task=${cpusPerTask}`]),
    ...(bytes === null ? [] : [`--mem=${Math.ceil((bytes[stage] + beside) / 2 ** 20)}M`]),
    ...(time === null ? [] : [`--time=${time}`]),
    '--requeue',
    '--open-mode=append',
    `--signal=B:USR1@${NOTICE}`,
    `--output=${log}.log`,
  ];
  // The last task of an array has the array's own number, by which Slurm would queue all tasks again.
  const job = stage === 'krylov' ? '"$SLURM_ARRAY_JOB_ID"_"$SLURM_ARRAY_TASK_ID"' : '"$SLURM_JOB_ID"';
  // The names of what it keeps, and no other task does.
  const arrays = stage === 'krylov' ? `${arraysOf(1)}-part-$(printf %04d "$SLURM_ARRAY_TASK_ID")-*` : 'attempt-*';
  return `#!/bin/bash
${options.map((option) => `#SBATCH ${option}\n`).join('')}
made= # another job may say so before anything is started here
trap 'made=1' USR2
cd ${shellWord(`${directory}/${SCRIPTS}`)} || exit 74
limit= told= caught= code= timer=
late() { sleep ${GRACE} && kill -KILL "$child"; }
touch "began-$SLURM_JOB_ID"
trap 'caught=1 limit=1; kill -USR1 "$child" 2>/dev/null' USR1
trap 'caught=1 told=1; kill -USR1 "$child" 2>/dev/null' TERM
trap 'caught=1 made=1; kill -KILL "$child" 2>/dev/null' USR2
${device === 'gpu' ? ALONE : ''}[ -z "$made" ] || exit 0
${device === 'gpu' ? `"\${alone[@]}" ` : ''}${shellCommand(program)} run ${words} --device ${device} ${THREADS}${redirection} &
child=$!
while :; do
  wait "$child"
  ended=$?
  [ "$ended" -ge 0 ] || ended=137
  [ "$ended" = 127 ] || code=$ended
  [ -n "$caught" ] || break
  caught=
  [ -z "$limit" ] || [ -n "$timer" ] || { late >/dev/null 2>&1 & timer=$!; }
done
trap '' USR2
code=\${code:-127}
[ -z "$timer" ] || kill "$timer" 2>/dev/null
[ -z "$made" ] || exit 0
if [ -n "$timer" ]; then
  [ "$code" = 137 ] && echo "slurm: no checkpoint in ${GRACE} s: what came behind the last one is made again"
fi
kept=$(find ${shellWord(directory)} -maxdepth 1 -name "${arrays}" -newer "began-$SLURM_JOB_ID")
[ -z "$kept" ] || rm -f "idle-$SLURM_JOB_ID"
again=
if [ "$code" = 75 ] || [ "$limit$code" = 1137 ] || { [ -n "$told" ] && [ -z "$limit" ]; }; then
  again=$limit
  echo >> "stops-$SLURM_JOB_ID"
  if [ -n "$limit" ]; then
    [ -n "$kept" ] || echo >> "idle-$SLURM_JOB_ID"
    if [ "$(cat "idle-$SLURM_JOB_ID" 2>/dev/null | wc -l)" -ge ${IDLE} ]; then
      again=
      echo "slurm: ${IDLE} time limits in a row have passed with nothing kept: expected a longer --time"
    fi
  fi
elif [ "$code" -gt 128 ]${PASSING.map((code) => ` || [ "$code" = ${code} ]`).join('')}; then
  stops=$(cat "stops-$SLURM_JOB_ID" 2>/dev/null | wc -l)
  [ "$((\${SLURM_RESTART_COUNT:-0} - stops))" -lt ${TRIES} ] && again=1
fi
unset SLURM_CLUSTERS # of whoever submitted it
[ -z "$again" ] || for pause in ${PAUSES.join(' ')}; do
  sleep "$pause"
  scontrol requeue ${job} && break
done
${looks ? `[ "$code" != 0 ] || ${looking(run, patience)} >> look.log 2>&1\n` : ''}exit "$code"
`;
}

const looking = ({ program, directory }: SlurmRun, patience: number): string =>
  shellCommand([...program, 'slurm', 'again', directory, '--unattended', '--patience', `${patience}`]);

function look(run: SlurmRun, patience: number): string {
  const memory = run.bytes === null ? '' : `#SBATCH --mem=${OWN_BYTES / 2 ** 20}M\n`;
  return `#!/bin/bash
#SBATCH --job-name=wiedemann-look
#SBATCH --ntasks=1
${memory}#SBATCH --open-mode=append
#SBATCH --output=look.log

cd ${shellWord(`${run.directory}/${SCRIPTS}`)} || exit 74
exec ${looking(run, patience)}
`;
}

/**
 * Prints the numbers of the three jobs; its own words are further options of sbatch. All three are queued or none;
 * those behind one that has failed for good are cancelled, and do not wait for ever. Where the name of a cluster
 * follows the first number, the others are of that cluster. An array that is asked for, as by --array=0-15%4, is of
 * parts: the other jobs are arrays of one task each, since sbatch takes the last array that it is told.
 */
function submission(folder: string): string {
  const after = (job: string): string =>
    `sbatch --parsable "$@" --dependency="afterok:$${job}" --array=0 --kill-on-invalid-dep=yes $cluster`;
  return `#!/bin/sh
cd ${shellWord(folder)} || exit 74
refused() {
  code=$?
  scancel $cluster "$@"
  exit "$code"
}
printf '%s\\0' "$@" > ${WORDS}
rm -f again-[0-9]*
cluster=
krylov=$(sbatch --parsable "$@" krylov.sbatch) || exit
case $krylov in *";"*) cluster="--clusters=\${krylov#*;}" ;; esac
krylov=\${krylov%%;*}
generator=$(${after('krylov')} generator.sbatch) || refused "$krylov"
generator=\${generator%%;*}
verify=$(${after('generator')} verify.sbatch) || refused "$krylov" "$generator"
echo "$krylov $generator \${verify%%;*}"
`;
}
