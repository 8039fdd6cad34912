import type { Db } from '#server/db/connection.ts'
import type { SignedIn } from '#server/http/session.ts'
import { AppError } from '#shared/errors.ts'

/** Sets one of the user's own pictures as the profile photo. Returns the previous one, which stays in their folder. */
export async function choosePhotoOf(db: Db, user: SignedIn, fileId: string | null, now: Date): Promise<string | null> {
  if (fileId) {
    const own = await db
      .selectFrom('stored_files')
      .select('id')
      .where('id', '=', fileId)
      .where('bucket', '=', 'avatars')
      .where('owner_id', '=', user.id)
      .executeTakeFirst()
    if (!own) throw new AppError(404, 'file_not_found', 'File not found.')
  }
  const { photo_file_id: before } = await db
    .selectFrom('user_profiles')
    .select('photo_file_id')
    .where('id', '=', user.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await db
    .updateTable('user_profiles')
    .set({ photo_file_id: fileId, updated_at: now })
    .where('id', '=', user.id)
    .execute()
  return before === fileId ? null : before
}
