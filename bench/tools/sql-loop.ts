// A process that runs statements as fast as the database answers them, over several connections.
import pg from 'pg'
import type { SqlLoopTask } from './sql.ts'

process.once('message', async ({ url, statements, connections, seconds }: SqlLoopTask) => {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const until = performance.now() + seconds * 1000
  let answers = 0
  await Promise.all(
    clients.map(async (client, i) => {
      for (let n = i; performance.now() < until; n++) {
        const which = n % statements.length
        await client.query({ name: `statement-${which}`, text: statements[which]! })
        answers++
      }
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  process.send!(answers / seconds, () => process.disconnect())
})
