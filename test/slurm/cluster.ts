/**
 * A Slurm of the tests' own: munged, slurmctld and slurmd on the loopback of this machine, ended by their numbers.
 *
 * Where Debian's slurm-wlm and munge are missing, tests are skipped with `slurmMissing` as the reason; with
 * REQUIRE_SLURM set, as continuous integration sets it, that is a failure.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { accessSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../free-port.js';

const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch', 'scontrol', 'squeue'] as const;

/** Where Debian has them; a user's PATH may lack sbin. */
const FOLDERS = ['/usr/sbin', '/usr/bin'];

function pathOf(program: string): string | null {
  const paths = FOLDERS.map((folder) => `${folder}/${program}`);
  return (
    paths.find((path) => {
      try {
        accessSync(path);
        return true;
      } catch {
        return false;
      }
    }) ?? null
  );
}

const missing = PROGRAMS.filter((program) => pathOf(program) === null);

/** Why there are no tests of Slurm; null where there are. */
export const slurmMissing: string | null =
  missing.length === 0 ? null : `no ${missing.join(', ')}: \`apt install slurm-wlm munge\` brings them`;

if (slurmMissing && process.env['REQUIRE_SLURM']) throw new Error(`REQUIRE_SLURM is set, and there is ${slurmMissing}`);
if (slurmMissing) console.warn(`tests of Slurm are skipped: ${slurmMissing}`);

/**
 * Seconds for which Slurm holds a job that is queued again. It is the time in which a credential is good, 120 by
 * default, and one more: a node refuses a job that starts in the second in which it was ended, and that job has failed.
 */
const HELD = 11;

/** What pass for GPUs: Slurm asks for files of devices, and does nothing with them where no cgroup constrains jobs. */
const DEVICES = ['/dev/null', '/dev/zero'];

/** What a node has beside its one core, at most as many GPUs as DEVICES; jobs are counted by it, and may take more. */
export interface NodeParts {
  readonly gpus: number;
  readonly megabytes: number;
}

export class SlurmCluster {
  readonly #folder: string;
  readonly #daemons: ChildProcess[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** With its files in a folder that is made; without `parts` Slurm counts neither GPUs nor memory. */
  static async start(folder: string, parts: NodeParts | null = null): Promise<SlurmCluster> {
    const cluster = new SlurmCluster(folder);
    for (const name of ['', 'state', 'spool', 'munge']) mkdirSync(join(folder, name), { mode: 0o700 });
    writeFileSync(join(folder, 'munge/key'), randomBytes(1024), { mode: 0o400 });
    const [controller, node] = [await freePort(), await freePort()];
    writeFileSync(join(folder, 'slurm.conf'), configuration(folder, controller, node, parts));
    const devices = DEVICES.slice(0, parts?.gpus).map((file) => `Name=gpu File=${file}\n`);
    if (parts !== null) writeFileSync(join(folder, 'gres.conf'), devices.join(''));
    const munge = Object.entries({
      key: 'key-file',
      socket: 'socket',
      pid: 'pid-file',
      log: 'log-file',
      seed: 'seed-file',
    });
    const files = munge.map(([file, name]) => `--${name}=${folder}/munge/${file}`);
    const isIdle = async (): Promise<boolean> => (await cluster.run('sinfo', '-h', '-o', '%T')) === 'idle';
    try {
      cluster.#daemon('munged', ['--foreground', '--force', ...files]);
      await until('munged', 60_000, async () => cluster.#goesOn() && isThere(join(folder, 'munge/socket')));
      cluster.#daemon('slurmctld', ['-D', '-f', join(folder, 'slurm.conf')]);
      cluster.#daemon('slurmd', ['-D', '-f', join(folder, 'slurm.conf'), '-N', nodeName()]);
      await until('a node of Slurm', 90_000, async () => cluster.#goesOn() && (await isIdle()));
      return cluster;
    } catch (error) {
      const said = ['slurmctld', 'slurmd', 'munged'].map((name) => tail(join(folder, `${name}.out`)));
      await cluster.end();
      throw new Error(`${(error as Error).message}\n${said.join('\n')}`);
    }
  }

  /** Throws where a daemon has ended. */
  #goesOn(): true {
    const ended = this.#daemons.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
    if (ended === undefined) return true;
    throw new Error(`${ended.spawnfile} has ended, ${ended.signalCode ?? `exit code ${ended.exitCode}`}`);
  }

  /** The state in which a job has ended, once it has. */
  async endOf(job: string, scripts: string): Promise<string> {
    let state = '';
    await this.until(`the end of job ${job}`, 200_000, scripts, async () => {
      state = /JobState=(\w+)/.exec(await this.run('scontrol', 'show', 'job', job))?.[1] ?? 'PENDING';
      return !['PENDING', 'RUNNING', 'COMPLETING'].includes(state);
    });
    return state;
  }

  /** Waits as `until` does; where that is in vain the error has what Slurm says, and the logs beside the scripts. */
  async until(what: string, patience: number, scripts: string, isSo: () => Promise<boolean>): Promise<void> {
    await until(what, patience, isSo).catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await this.report(scripts)}`);
    });
  }

  /** Every job with its state and the reason for it, the node, and the ends of the logs of tasks and daemons. */
  async report(scripts: string): Promise<string> {
    const columns = 'JobArrayID:8,JobID:6,State:12,Reason:30,RestartCnt:4,exit_code:10,Dependency:30,StartTime';
    const said = [
      await this.run('squeue', '-r', '-t', 'all', '-O', columns),
      await this.run('sinfo', '-N', '-o', '%N %T %E'),
    ];
    const logs = readdirSync(scripts).filter((name) => name.endsWith('.log'));
    const daemons = ['slurmctld.log', 'slurmd.log'].map((name) => join(this.#folder, name));
    return [...said, ...[...logs.map((name) => join(scripts, name)), ...daemons].map(tail)].join('\n\n');
  }

  #daemon(program: string, words: readonly string[]): void {
    const out = openSync(join(this.#folder, `${program}.out`), 'a');
    this.#daemons.push(spawn(pathOf(program)!, words, { stdio: ['ignore', out, out], env: this.env }));
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      SLURM_CONF: join(this.#folder, 'slurm.conf'),
      PATH: `${FOLDERS.join(':')}:${process.env['PATH']}`,
    };
  }

  /** What a command prints, without the last line break; '' where it fails. */
  async run(program: string, ...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(program, words, { env: this.env }).catch(() => ({ stdout: '' }));
    return stdout.trim();
  }

  /** Ends what is left of jobs, by KILL behind KillWait, then the daemons, the last that was started first. */
  async end(): Promise<void> {
    if ((await this.run('squeue', '-h', '-o', '%i')) !== '') {
      await this.run('scancel', '--user', userInfo().username);
      await until('the end of jobs', 60_000, async () => (await this.run('squeue', '-h', '-o', '%i')) === '').catch(
        () => {},
      );
    }
    for (const daemon of this.#daemons.reverse()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const ended = new Promise((resolve) => daemon.once('exit', resolve));
      daemon.kill('SIGTERM');
      const patience = setTimeout(() => daemon.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(patience);
    }
  }
}

/** Tries every fifth of a second, for so many milliseconds. */
async function until(what: string, patience: number, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + patience;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`waited ${patience / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const nodeName = (): string => hostname().split('.')[0]!;

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The last lines of a file behind its name. */
function tail(path: string): string {
  const text = isThere(path) ? readFileSync(path, 'utf8').slice(-3000) : '';
  return `${basename(path)}:\n${text || 'nothing'}`;
}

/** Every job is tried at once, and may share the cores of the one node, whose parts are not asked of the machine. */
function configuration(folder: string, controller: number, node: number, parts: NodeParts | null): string {
  const counted = parts === null ? '' : `RealMemory=${parts.megabytes} Gres=gpu:${parts.gpus} `;
  const user = userInfo().username;
  const scheduling = 'sched_interval=1,bf_interval=1,batch_sched_delay=0,sched_min_interval=100000';
  return `ClusterName=test
SlurmctldHost=${nodeName()}(127.0.0.1)
SlurmctldPort=${controller}
SlurmdPort=${node}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket,cred_expire=${HELD - 1}
CredType=cred/munge
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=${scheduling}
SelectType=select/cons_tres
SelectTypeParameters=CR_Core${parts === null ? '' : '_Memory'}
${parts === null ? '' : 'GresTypes=gpu\nSlurmdParameters=config_overrides\n'}MessageTimeout=60
ReturnToService=2
JobRequeue=1
KillWait=30
MinJobAge=3600
SwitchType=switch/none
MpiDefault=none
NodeName=${nodeName()} NodeAddr=127.0.0.1 CPUs=1 ${counted}State=UNKNOWN
PartitionName=all Nodes=${nodeName()} Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
`;
}
