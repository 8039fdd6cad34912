import { inBackground } from '#server/db/claims.ts'
import type { Database } from '#server/db/connection.ts'
import { mailAdministrators, notifyAdministrators } from '#server/notifications/admin-alerts.ts'
import type { SettingsModel } from '#server/settings/settings.ts'
import type { Language } from '#shared/language.ts'
import { ALARM_SECONDS, type OnFailure } from './failures.ts'

const PATH = '/admin/users/sign-ins'
const MINUTES = ALARM_SECONDS / 60
const HOUR_MS = 3_600_000

/** Raises an alarm when sign-ins fail faster than the settings allow: once an hour for all, and once for each account. */
export function createAlarm(deps: { database: Database; settings: SettingsModel; publicUrl: string }): OnFailure {
  const { database, settings, publicUrl } = deps
  return async ({ all, account, userId }) => {
    // Equality: each number is counted once across all nodes.
    const isAll = all === settings.get('accounts.failed_sign_ins_alarm')
    const isAccount = userId !== undefined && account === settings.get('accounts.failed_sign_ins_of_account_alarm')
    if (!isAll && !isAccount) return
    const hour = Math.floor(Date.now() / HOUR_MS)
    await inBackground(database, 'accounts', async (db) => {
      if (isAll) await raise(`failed sign-ins ${hour}`, textOfAll(all))
      if (!isAccount) return
      const profile = await db
        .selectFrom('user_profiles')
        .select('display_name')
        .where('auth_user_id', '=', userId)
        .executeTakeFirst()
      if (profile) await raise(`failed sign-ins ${userId} ${hour}`, textOfAccount(account, profile.display_name))

      async function raise(key: string, text: Record<Language, { title: string; message: string }>) {
        await notifyAdministrators(db, { key, priority: 'urgent', path: PATH, ...text.en })
        await mailAdministrators(db, { key, path: PATH, text }, publicUrl)
      }
    })
  }
}

const textOfAll = (failures: number) => ({
  en: {
    title: 'Many failed sign-ins',
    message: `${failures} sign-ins failed within ${MINUTES} minutes. Someone may be guessing passwords. The portal limits them automatically. Check which accounts and networks are affected.`,
  },
  ar: {
    title: 'محاولات دخول فاشلة كثيرة',
    message: `محاولات دخول فاشلة: ${failures}. المدة بالدقائق: ${MINUTES}. قد تكون محاولة لتخمين كلمات المرور. تقيّد البوابة هذه المحاولات تلقائيًا. يُرجى مراجعة الحسابات والشبكات المعنيّة.`,
  },
})

const textOfAccount = (failures: number, name: string) => ({
  en: {
    title: `Failed sign-ins for ${name}`,
    message: `${failures} sign-ins to the account of ${name} failed within ${MINUTES} minutes. The owner can still sign in. You can also send a sign-in link.`,
  },
  ar: {
    title: `محاولات دخول فاشلة إلى حساب ${name}`,
    message: `محاولات دخول فاشلة إلى حساب ${name}: ${failures}. المدة بالدقائق: ${MINUTES}. لا يزال بإمكان صاحب الحساب تسجيل الدخول. يمكنك أيضًا إرسال رابط دخول إليه.`,
  },
})
