import { getOwnProfile } from '#shared/accounts/own.ts'
import type { Visitor } from '#web/lib/visitor.ts'

/** Time zone of the signed-in user: without scripts there is no other source. */
export async function profileZone({ user, api }: Visitor): Promise<string | null> {
  if (!user) return null
  return api(getOwnProfile).then(
    ({ time_zone }) => time_zone,
    () => null,
  )
}
