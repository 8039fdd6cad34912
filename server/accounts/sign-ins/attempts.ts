import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '#server/db/connection.ts'
import { networkOf, subnetOf } from '#server/http/address.ts'
import type { FailureReason, SignInMethod } from '#shared/accounts/sign-ins.ts'
import { firstOf } from '#shared/assert.ts'
import { AppError } from '#shared/errors.ts'
import { type HashOrder, inHashOrder } from '../hash-worker.ts'
import { type Counter, count, forgetTries, type Limit, readCounts, takeBack, tooOften } from '../limits.ts'
import type { Caller, Callers, KnownCaller } from './callers.ts'
import type { Failures } from './failures.ts'

/*
 * Limits on failures; see decision 0029. Successful attempts are not limited. Passwords are never refused by account:
 * strangers are slowed down, and past `account` the right password must be confirmed by mail.
 */
const LIMITS = {
  /** Per address (IPv6: its /64), for any account; more where more users have signed in from it. */
  address: { name: 'failures address', count: 100, seconds: 900 },
  subnet: { name: 'failures subnet', count: 400, seconds: 900 },
  /** Per account, by strangers. */
  account: { name: 'failures account', count: 100, seconds: 3600 },
  /** Per account, from a device or network that has signed in to it before. */
  own: { name: 'failures own', count: 10, seconds: 900 },
  ownCode: { name: 'failures own code', count: 5, seconds: 900 },
  /** Six digits can be guessed: fewer of them, per caller and for all strangers together. */
  codeHere: { name: 'failures code here', count: 5, seconds: 900 },
  code: { name: 'failures code', count: 20, seconds: 3600 },
} as const satisfies Record<string, Limit>

/** Additional failures allowed for an address per account signed in from it within a day. */
const FAILURES_PER_ACCOUNT = 5
/** Delay of each further attempt beyond this many failures of an account within the hour. */
const PAUSES: [failures: number, milliseconds: number][] = [
  [60, 4_000],
  [30, 2_000],
  [10, 1_000],
]
const OWN_PAUSES: [failures: number, milliseconds: number][] = [
  [7, 4_000],
  [5, 2_000],
  [3, 1_000],
]
/** Maximum number of concurrent delays, so that waiting itself does not exhaust the portal. */
const MAX_PAUSED = 500

/** Replaced in tests. */
export type Pause = (milliseconds: number) => Promise<unknown>

/** One sign-in attempt, counted as a failure until it passes. */
export interface Attempt {
  /** The password alone does not sign in from here: too many strangers failed. */
  mustConfirmByMail: boolean
  /** Runs password hashing at its position in the queue. */
  inTurn<T>(run: () => Promise<T>): Promise<T>
  failed(reason: FailureReason): Promise<void>
  /** Correct, but the account may not sign in. */
  refused(reason: FailureReason): Promise<void>
  /** Correct, or could not be checked. */
  passed(): Promise<void>
}

/** Counts failed sign-ins by caller and by account across all nodes, and slows callers down. */
export class Attempts {
  readonly #database: Database
  readonly #callers: Callers
  readonly #failures: Failures
  readonly #pause: Pause
  #paused = 0

  constructor(deps: { database: Database; callers: Callers; failures: Failures; pause?: Pause }) {
    this.#database = deps.database
    this.#callers = deps.callers
    this.#failures = deps.failures
    this.#pause = deps.pause ?? wait
  }

  /** A password attempt for the account found by `name`. Waits; throws 429 only for a stranger's address. */
  async password(caller: Caller, method: SignInMethod, name: string, account: KnownCaller): Promise<Attempt> {
    const subject = account.userId ?? name
    if (account.known) {
      const reserved = [{ limit: LIMITS.own, subject: `${account.known} ${subject}` }]
      const { used } = firstOf(await count(this.#database, reserved))
      if (used <= LIMITS.own.count) {
        await this.#slow(OWN_PAUSES, used)
        const order: HashOrder = { key: caller.session.address, isKnown: true }
        return this.#attempt(caller, method, { name, account, order, reserved, isStranger: false })
      }
    }
    await this.#admitAddress(caller, method, account.userId)
    const reserved = [{ limit: LIMITS.account, subject }]
    const { used } = firstOf(await count(this.#database, reserved))
    await this.#slow(PAUSES, used)
    const order = await this.#orderOf(caller)
    const mustConfirmByMail = used > LIMITS.account.count
    return this.#attempt(caller, method, { name, account, order, reserved, isStranger: true, mustConfirmByMail })
  }

  /**
   * A six-digit code, mailed or from an authenticator. `proof` names what the caller has shown and a stranger has
   * not. Throws 429 with `message` when the caller, or all strangers together, gave too many wrong ones.
   */
  async code(
    caller: Caller,
    method: SignInMethod,
    name: string,
    account: KnownCaller,
    { message, proof }: { message: string; proof?: string | undefined },
  ): Promise<Attempt> {
    const subject = `${method} ${account.userId ?? name}`
    const known = account.known ?? proof
    if (!known) await this.#admitAddress(caller, method, account.userId)
    const reserved: Counter[] = known
      ? [{ limit: LIMITS.ownCode, subject: `${known} ${subject}` }]
      : [
          { limit: LIMITS.codeHere, subject: `${caller.session.address} ${subject}` },
          { limit: LIMITS.code, subject },
        ]
    const counts = await count(this.#database, reserved)
    const over = counts.find(({ limit, used }) => used > limit.count)
    if (over) {
      // An unchecked attempt does not count against the account.
      await takeBack(this.#database, reserved)
      await this.#failures.record(caller, { method, reason: 'slowed', userId: account.userId })
      const seconds = String(Math.max(1, over.wait))
      throw new AppError(429, 'too_many_codes', message, { headers: { 'retry-after': seconds } })
    }
    const order: HashOrder = { key: caller.session.address, isKnown: known !== undefined }
    return this.#attempt(caller, method, { name, account, order, reserved, isStranger: !known })
  }

  /** A long secret that cannot be guessed: only the address counts. */
  async secret(caller: Caller, method: SignInMethod, userId?: string): Promise<Attempt> {
    await this.#admitAddress(caller, method, userId)
    const order: HashOrder = { key: networkOf(caller.session.address), isKnown: false }
    return this.#attempt(caller, method, { account: userId ? { userId } : {}, order, reserved: [], isStranger: true })
  }

  /** Clears what slows an account down; names are the identifiers used to sign in to it. */
  async clear(userId: string): Promise<void> {
    const subjects = ['code', 'phone', 'second_step'].map((method) => ({
      limit: LIMITS.code,
      subject: `${method} ${userId}`,
    }))
    await forgetTries(this.#database, [{ limit: LIMITS.account, subject: userId }, ...subjects])
  }

  async #slow(pauses: [number, number][], used: number) {
    const [, milliseconds] = pauses.find(([failed]) => used > failed) ?? []
    if (!milliseconds || this.#paused >= MAX_PAUSED) return
    this.#paused++
    try {
      await this.#pause(milliseconds)
    } finally {
      this.#paused--
    }
  }

  #byAddress({ session: { address } }: Caller): Counter[] {
    const subnet = subnetOf(address)
    return [{ limit: LIMITS.address, subject: address }, ...(subnet ? [{ limit: LIMITS.subnet, subject: subnet }] : [])]
  }

  /** Refuses an address with too many failures, for any account. */
  async #admitAddress(caller: Caller, method: SignInMethod, userId: string | undefined) {
    const counts = await readCounts(this.#database, this.#byAddress(caller))
    if (counts.every(({ limit, used }) => used < limit.count)) return
    const more = FAILURES_PER_ACCOUNT * (await this.#callers.accountsAt(caller.session.address))
    const over = counts.find(({ limit, used }) => used >= limit.count + more)
    if (!over) return
    await this.#failures.record(caller, { method, reason: 'slowed', userId })
    throw tooOften(over.wait)
  }

  /** Where people sign in today, as in a shared hall, the next one need not wait behind a storm from elsewhere. */
  async #orderOf({ session: { address } }: Caller): Promise<HashOrder> {
    return (await this.#callers.accountsAt(address)) > 0
      ? { key: address, isKnown: true }
      : { key: networkOf(address), isKnown: false }
  }

  #attempt(caller: Caller, method: SignInMethod, more: AttemptState): Attempt {
    const { name, account, order, reserved, isStranger } = more
    // A link or a passkey names no account until it is valid.
    const isUnknown = !account.userId && name !== undefined && method !== 'hub'
    const record = (reason: FailureReason) =>
      this.#failures.record(caller, {
        method,
        reason: reason === 'wrong_secret' && isUnknown ? 'unknown_name' : reason,
        userId: account.userId,
      })
    const passed = async () => {
      if (reserved.length === 0) return
      if (isStranger) await takeBack(this.#database, reserved)
      else await forgetTries(this.#database, reserved)
    }
    return {
      mustConfirmByMail: more.mustConfirmByMail ?? false,
      inTurn: (run) => inHashOrder(order, run),
      passed,
      failed: async (reason) => {
        if (isStranger) await count(this.#database, this.#byAddress(caller))
        await record(reason)
      },
      async refused(reason) {
        await passed()
        await record(reason)
      },
    }
  }
}

interface AttemptState {
  /** The identifier entered for the account; absent when there is none. */
  name?: string
  account: KnownCaller
  order: HashOrder
  reserved: Counter[]
  isStranger: boolean
  mustConfirmByMail?: boolean
}
