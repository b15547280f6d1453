/** A worker as the team sees it, whatever the platform. */
export interface WorkerHandle {
  /** Settles when the worker has said that it is ready; rejects when it fails before that. */
  readonly ready: Promise<void>;
  /** The listener is called once when the worker ends for any reason but terminate(). */
  onEnd(listener: (reason: string) => void): void;
  terminate(): Promise<void>;
}
