interface Waiting<I, O> {
  input: I
  resolve: (output: O) => void
  reject: (error: unknown) => void
}

const MAX_BATCH = 200

/**
 * Writes inputs of the same key together, while at most `atOnce` batches are written: however many wait, they occupy no
 * more connections. A batch that fails is written one by one, so that no input takes others with it.
 */
export function createBatches<I, O>({ atOnce }: { atOnce: number }, write: (inputs: readonly I[]) => Promise<O[]>) {
  const queues = new Map<unknown, Waiting<I, O>[]>()
  let running = 0

  async function run(): Promise<void> {
    running++
    for (let next = queues.entries().next(); !next.done; next = queues.entries().next()) {
      const [key, queue] = next.value
      queues.delete(key)
      // The rest of a long queue goes behind the other keys.
      if (queue.length > MAX_BATCH) queues.set(key, queue.splice(MAX_BATCH))
      await writeBatch(queue)
    }
    running--
  }

  async function writeBatch(batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const outputs = await write(batch.map(({ input }) => input))
      for (const [at, { resolve }] of batch.entries()) resolve(outputs[at]!)
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error)
      else for (const item of batch) await writeBatch([item])
    }
  }

  /** Inputs whose key equals share a batch; `undefined` shares with none. */
  return (key: string | undefined, input: I): Promise<O> =>
    new Promise((resolve, reject) => {
      const own = key ?? Symbol('alone')
      const queue = queues.get(own)
      if (queue) queue.push({ input, resolve, reject })
      else queues.set(own, [{ input, resolve, reject }])
      if (running < atOnce) void run()
    })
}
