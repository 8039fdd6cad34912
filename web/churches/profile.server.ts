import { getOwnProfile } from '#shared/accounts/own.ts'
import type { Visitor } from '#web/lib/visitor.ts'

/** The zone of who is signed in: without scripts nothing else tells it. */
export async function profileZone({ user, api }: Visitor): Promise<string | null> {
  if (!user) return null
  return api(getOwnProfile).then(
    ({ time_zone }) => time_zone,
    () => null,
  )
}
