// A process that runs statements as fast as the database answers, over several connections.
import pg from 'pg'
import { percentile } from '../report.ts'
import type { SqlLoopTask, SqlResult } from './sql.ts'

process.once('message', async ({ url, statements, connections, seconds }: SqlLoopTask) => {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const until = performance.now() + seconds * 1000
  const took: number[] = []
  await Promise.all(
    clients.map(async (client, i) => {
      for (let n = i; performance.now() < until; n++) {
        const which = n % statements.length
        const began = performance.now()
        await client.query({ name: `statement-${which}`, text: statements[which]! })
        took.push(performance.now() - began)
      }
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  const result: SqlResult = { perSecond: took.length / seconds, p99: percentile(took, 0.99) }
  process.send!(result, () => process.disconnect())
})
