import { randomUUID } from 'node:crypto'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { sql, type Transaction } from 'kysely'
import type { Database } from '#server/db/connection.ts'
import type { Tables } from '#server/db/tables.ts'
import type { Session } from '#server/http/session.ts'
import { authUserIdOf, sessionIdOf } from '#server/http/session.ts'
import type { SignInChangeKind } from '#shared/accounts/sign-in-changes.ts'
import { present } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { auditOwn } from './audit.ts'
import { rowOf } from './identities.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { applySignInChange, type SignInChange, type SignInChangeDeps } from './sign-in-changes.ts'
import { newSecret, stepOf } from './totp.ts'

const ENROLMENT_SECONDS = 900

export type SecondFactorCode = { code: string } | { recovery_code: string }

type CodeResult = 'right' | 'wrong' | 'none'

/**
 * Authenticators and recovery codes, protected by the portal's `secret`: without it nothing in the table can be used.
 */
export class SecondStep {
  readonly #secret: string
  readonly #deps: SignInChangeDeps

  constructor(secret: string, deps: SignInChangeDeps) {
    this.#secret = secret
    this.#deps = deps
  }

  /** A new authenticator for this session; it replaces the old one with its first code. */
  async enrol(database: Database, session: Session) {
    const authenticator = newSecret()
    const codes = newRecoveryCodes()
    const enrolment = { secret: authenticator, codes: codes.map((code) => hashRecoveryCode(code, this.#secret)) }
    const value = await symmetricEncrypt({ key: this.#secret, data: JSON.stringify(enrolment) })
    const identifier = this.#pendingOf(session)
    await database.requests.kysely.transaction().execute(async (db) => {
      await db.deleteFrom('auth_verifications').where('identifier', '=', identifier).execute()
      await db
        .insertInto('auth_verifications')
        .values({
          id: randomUUID(),
          identifier,
          value,
          expires_at: sql<Date>`now() + make_interval(secs => ${ENROLMENT_SECONDS})`,
        })
        .execute()
    })
    return { secret: authenticator, codes }
  }

  /** Accepts the first code of a new authenticator. 'none' when none is being set up. */
  async confirm(database: Database, session: Session, code: string, now: Date): Promise<CodeResult> {
    return applySignInChange<CodeResult>(database, authUserIdOf(session), this.#deps, async (db) => {
      const pending = await db
        .selectFrom('auth_verifications')
        .select('value')
        .where('identifier', '=', this.#pendingOf(session))
        .where('expires_at', '>', sql<Date>`now()`)
        .forUpdate()
        .executeTakeFirst()
      if (!pending) return { result: 'none' }
      const enrolment: { secret: string; codes: string[] } = JSON.parse(
        await symmetricDecrypt({ key: this.#secret, data: pending.value }),
      )
      const step = stepOf(enrolment.secret, code, now)
      if (step === undefined) return { result: 'wrong' }
      const former = await factorOf(db, session)
      const user_id = authUserIdOf(session)
      await db.deleteFrom('auth_verifications').where('identifier', '=', this.#pendingOf(session)).execute()
      await db.deleteFrom('auth_two_factors').where('user_id', '=', user_id).execute()
      await db
        .insertInto('auth_two_factors')
        .values({
          id: randomUUID(),
          user_id,
          secret: await symmetricEncrypt({ key: this.#secret, data: enrolment.secret }),
          backup_codes: JSON.stringify(enrolment.codes),
          verified: true,
          failed_verification_count: 0,
          last_step: step,
        })
        .execute()
      await setEnabled(db, user_id, true)
      await countInFull(db, session)
      return { change: changed('second_factor_added', former, { authenticator: true }), result: 'right' }
    })
  }

  /**
   * Accepts an authenticator code or a recovery code, each once. Call it within the limits on wrong ones: once the
   * password is known, six digits are all that is left (CVE-2025-64102).
   */
  async give(database: Database, session: Session, input: SecondFactorCode, now: Date): Promise<CodeResult> {
    return database.requests.kysely.transaction().execute(async (db) => {
      const factor = await db
        .selectFrom('auth_two_factors')
        .selectAll()
        .where('user_id', '=', authUserIdOf(session))
        .forUpdate()
        .executeTakeFirst()
      if (!factor) return 'none'
      const change =
        'code' in input
          ? await this.#codeTaken(factor, input.code, now)
          : this.#recoveryTaken(factor, input.recovery_code)
      if (!change) return 'wrong'
      await update(db, factor.id, change)
      await countInFull(db, session)
      if ('recovery_code' in input)
        await auditOwn(db, session, 'user.recovery_code', {
          after: { left: (JSON.parse(present(change.backup_codes, 'the codes left')) as string[]).length },
        })
      return 'right'
    })
  }

  async remove(database: Database, session: Session): Promise<void> {
    await applySignInChange(database, authUserIdOf(session), this.#deps, async (db) => {
      const former = await factorOf(db, session)
      if (!former) return { result: undefined }
      await db.deleteFrom('auth_two_factors').where('user_id', '=', authUserIdOf(session)).execute()
      await setEnabled(db, authUserIdOf(session), false)
      return { change: changed('second_factor_removed', former, { authenticator: false }), result: undefined }
    })
  }

  async renewRecoveryCodes(database: Database, session: Session): Promise<string[]> {
    const codes = newRecoveryCodes()
    const backup_codes = JSON.stringify(codes.map((code) => hashRecoveryCode(code, this.#secret)))
    return applySignInChange(database, authUserIdOf(session), this.#deps, async (db) => {
      const former = await factorOf(db, session)
      if (!former) throw new AppError(409, 'no_authenticator', 'No authenticator app is set up.')
      await db
        .updateTable('auth_two_factors')
        .set({ backup_codes, since: sql<Date>`now()` })
        .where('user_id', '=', authUserIdOf(session))
        .execute()
      return { change: changed('recovery_codes_renewed', former, { recovery_codes: 'renewed' }), result: codes }
    })
  }

  #pendingOf(session: Session) {
    return `second-step ${session.id}`
  }

  async #codeTaken(factor: Factor, code: string, now: Date): Promise<Change | null> {
    const step = stepOf(await symmetricDecrypt({ key: this.#secret, data: factor.secret }), code, now)
    if (step === undefined || step <= (factor.last_step ?? 0)) return null
    return { last_step: step }
  }

  #recoveryTaken(factor: Factor, code: string): Change | null {
    const codes = JSON.parse(factor.backup_codes) as string[]
    const left = codes.filter((codeHash) => codeHash !== hashRecoveryCode(code, this.#secret))
    return left.length < codes.length ? { backup_codes: JSON.stringify(left) } : null
  }
}

interface Factor {
  secret: string
  backup_codes: string
  last_step: number | null
}
interface Change {
  last_step?: number
  backup_codes?: string
}

const update = (db: Transaction<Tables>, id: string, change: Change) =>
  db.updateTable('auth_two_factors').set(change).where('id', '=', id).execute()

/** The authenticator with its codes as stored; null when none is set up. */
async function factorOf(db: Transaction<Tables>, session: Session) {
  const factor = await db
    .selectFrom('auth_two_factors')
    .select('id')
    .where('user_id', '=', authUserIdOf(session))
    .forUpdate()
    .executeTakeFirst()
  return factor ? rowOf(db, 'auth_two_factors', factor.id) : null
}

const changed = (kind: SignInChangeKind, factor: object | null, after: object): SignInChange => ({
  kind,
  former: { factor },
  audit: { action: 'user.second_factor', after },
})

const setEnabled = (db: Transaction<Tables>, userId: string, isEnabled: boolean) =>
  db
    .updateTable('auth_users')
    .set({ two_factor_enabled: isEnabled, updated_at: new Date() })
    .where('id', '=', userId)
    .execute()

const countInFull = (db: Transaction<Tables>, session: Session) =>
  db.updateTable('auth_sessions').set({ second_factor_at: new Date() }).where('id', '=', sessionIdOf(session)).execute()
