import { sql } from 'kysely'
import { withClaims } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import type { BackupSettings } from '#server/env.ts'
import { type ActionContext, claimsOf } from '#server/http/router.ts'
import type { SignedIn } from '#server/http/session.ts'
import { type getQueue, QUEUE_PER_PAGE, QUEUE_SHOWN, type QueueGroup } from '#shared/overview/queue.ts'
import { isAdmin, mayPass } from '#shared/roles.ts'
import { localZone } from './local-zone.ts'
import { type CallFilter, type CallKey, describeCalls, findCalls } from './queue-calls.ts'
import { PORTAL_READERS } from './queue-portal-tasks.ts'
import { byRank, type RankedRow } from './queue-rank.ts'
import { TASK_READERS, type Task, type TaskContext, taskRow } from './queue-tasks.ts'

type Input = (typeof getQueue)['~']['parsed']['query']
type Queue = (typeof getQueue)['~']['output']
type Context = Pick<ActionContext<SignedIn>, 'session' | 'user' | 'database' | 'now' | 'log'>
type Deps = Pick<TaskContext, 'settings' | 'advisories'> & { backup: BackupSettings | undefined }

const NO_CALLS = { counts: { all: 0, mine: 0, unowned: 0 }, countries: [], keys: [] as CallKey[] }

/**
 * Everything that waits for the caller in one order. Each group is read by itself: one that fails is named, and the
 * rows of the others are shown.
 */
export async function readQueue(context: Context, { owner, country, show, page }: Input, deps: Deps): Promise<Queue> {
  const { session, user, database, now, log } = context
  const per_page = show ? QUEUE_PER_PAGE : QUEUE_SHOWN
  const offset = show ? (page - 1) * per_page : 0
  const filter: CallFilter = { owner, country }
  const failed = new Set<QueueGroup>()
  const orFailed = async <T>(group: QueueGroup, read: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      log.error({ error, group }, 'a group of the queue could not be read')
      failed.add(group)
      return otherwise
    }
  }
  // A country has people who wait; other work belongs to none.
  const ofPortal: Task[] = []
  if (isAdmin(user.role) && !country)
    for (const { group, read } of PORTAL_READERS)
      ofPortal.push(...(await orFailed(group, () => read({ database, now, backup: deps.backup }), [])))

  return withClaims(database, claimsOf(session), async (db) => {
    const inGroup = <T>(group: QueueGroup, read: () => Promise<T>, otherwise: T) =>
      orFailed(group, () => inSavepoint(db, read), otherwise)
    const calls = mayPass('takeCases', user.role)
      ? await inGroup('calls', () => findCalls(db, { me: user.id, now, filter, limit: offset + per_page }), NO_CALLS)
      : NO_CALLS
    const tasks = ofPortal
    if (!country)
      for (const { group, access, read } of TASK_READERS)
        if (mayPass(access, user.role))
          tasks.push(...(await inGroup(group, () => read(db, { ...deps, user, now }), [])))

    const others = tasks.map((task) => taskRow(task, now))
    const ofFilter = others.filter(isOf(owner))
    const chosen = [...calls.keys, ...ofFilter].toSorted(byRank).slice(offset, offset + per_page)
    const keys = chosen.filter(isCall)
    const described = await inGroup('calls', () => describeCalls(db, keys, user.id), [])
    const rows = [...described, ...chosen.filter((row): row is RankedRow => !isCall(row))].toSorted(byRank)
    const counts = {
      all: calls.counts.all + others.length,
      mine: calls.counts.mine + others.filter(isOf('mine')).length,
      unowned: calls.counts.unowned + others.filter(isOf('none')).length,
    }
    return {
      rows: rows.map(({ rank: _, ...row }) => ({ ...row, time_zone: localZone(row.country_code, now) })),
      total: owner === 'mine' ? counts.mine : owner === 'none' ? counts.unowned : counts.all,
      counts,
      countries: calls.countries,
      failed: [...failed],
      page: show ? page : 1,
      per_page,
    }
  })
}

const isOf = (owner: CallFilter['owner']) => (row: RankedRow) =>
  owner === 'mine' ? row.is_mine : owner === 'none' ? row.owner_name === null : true

const isCall = (row: CallKey | RankedRow): row is CallKey => 'is_owned' in row

/** Runs `read` so that its error does not end the transaction. */
async function inSavepoint<T>(db: Db, read: () => Promise<T>): Promise<T> {
  await sql`savepoint of_group`.execute(db)
  try {
    const found = await read()
    await sql`release savepoint of_group`.execute(db)
    return found
  } catch (error) {
    await sql`rollback to savepoint of_group`.execute(db)
    throw error
  }
}
