import { flagAccount, listNewAccounts, verifyAccount } from '#shared/accounts/users.ts'
import type { Door } from '../../http/door.ts'
import { changing } from './changing.ts'
import { listWaiting } from './queries.ts'
import { flag, verify } from './status.ts'
import type { TellingParts } from './telling.ts'

/**
 * New accounts, as coordinators look after them (C-12): verified or flagged, nothing else, and only those of their
 * countries. Row-level security holds that; whoever is out of scope is not found.
 */
export function newcomers(door: Door, parts: TellingParts) {
  door.handle(listNewAccounts, ({ db, session }, { query }) => listWaiting(db, session.user!.id, query))

  door.handle(verifyAccount, async ({ db, session, now }, { params }) => {
    await changing(() => verify(db, session.user!, params.id, parts, now))
    return {}
  })

  door.handle(flagAccount, async ({ db, session, now }, { params, body }) => {
    await changing(() => flag(db, session.user!, params.id, body, now))
    return {}
  })
}
