import { randomBytes, timingSafeEqual } from 'node:crypto'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { PASSWORD_LENGTH } from '#shared/accounts/profile.ts'
import { AppError } from '#shared/errors.ts'
import { argon2id } from './hash-worker.ts'

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 }

/** A password in stored form: argon2id in the PHC encoding. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await argon2id(password, nonce, PARAMETERS)
  const { memory, passes, parallelism } = PARAMETERS
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/

/**
 * True when the password matches the hash; compares in constant time. Uses the parameters of the hash, so that raising
 * those above locks nobody out.
 */
export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  const [, memory, passes, parallelism, nonce, tag] = STORED.exec(hash) ?? []
  if (!nonce || !tag) return false
  const parameters = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const wanted = Buffer.from(tag, 'base64')
  const actual = await argon2id(password, Buffer.from(nonce, 'base64'), parameters)
  return actual.length === wanted.length && timingSafeEqual(actual, wanted)
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')

/** Keys of the texts that explain why a password is refused. */
export type Weakness = 'too_short' | 'too_long' | 'common' | 'personal' | 'context' | 'guessable'

const LEAST_SCORE = 3
/** Minimum letters of a password besides the user's name and address and the words below. */
const OWN_LETTERS = 6

/** First guesses for this portal (ASVS 5.0, 6.1.2): its names, those of the church, roles and areas. */
const CONTEXT_WORDS = (
  'mfaportal portal mfa mcgi churchofgod membershub ministry foreign affairs church brethren member traveler traveller ' +
  'travel advisory advisories embassy overseas pdos endorsement coordinator servant administrator admin password'
).split(' ')

/**
 * Reasons against a password; empty when it is accepted. Checks zxcvbn's lists of common and leaked passwords, and the
 * user's personal data.
 */
async function weaknessesOf(password: string, personal: string[] = []): Promise<Weakness[]> {
  const length = [...password].length
  if (length > PASSWORD_LENGTH.max) return ['too_long']
  const reasons: Weakness[] = length < PASSWORD_LENGTH.min ? ['too_short'] : []
  const judge = await loadDictionaries()
  const known = personal.flatMap((text) => text.toLowerCase().split(/[\s@.]+/)).filter((text) => text.length > 2)
  const own = without(password.toLowerCase(), known)
  if (own.length < OWN_LETTERS && own.length < length) return [...reasons, 'personal']
  const others = without(own, CONTEXT_WORDS)
  // A year or a symbol after the word is the first variation attackers try.
  if (others.length < own.length && others.replace(/(19|20)\d\d|[^\p{L}\p{N}]/gu, '').length < OWN_LETTERS)
    return [...reasons, 'context']
  const { score, sequence } = judge.check(password)
  if (score >= LEAST_SCORE) return reasons
  const isListed = sequence.some((match) => 'dictionaryName' in match && match.dictionaryName.startsWith('passwords'))
  if (isListed) reasons.push('common')
  else if (reasons.length === 0) reasons.push('guessable')
  return reasons
}

const without = (password: string, words: readonly string[]) =>
  words.reduce((rest, word) => rest.replaceAll(word, ''), password)

let judge: Promise<ZxcvbnFactory> | undefined

/** Loaded with the first password: the lists take several megabytes. */
function loadDictionaries(): Promise<ZxcvbnFactory> {
  judge ??= import('@zxcvbn-ts/language-common').then(
    ({ adjacencyGraphs, dictionary }) => new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs }),
  )
  return judge
}

/** Refuses a guessable password, with the reasons under the field. */
export async function acceptPassword(password: string, personal: string[] = []): Promise<void> {
  const reasons = await weaknessesOf(password, personal)
  if (reasons.length === 0) return
  throw new AppError(422, 'weak_password', 'Choose a stronger password.', {
    fields: { password: reasons.map((reason) => WEAKNESS[reason]).join(' ') },
  })
}

const WEAKNESS = {
  too_short: 'Must be at least 10 characters.',
  too_long: 'Must be at most 128 characters.',
  common: 'This password is on a list of common or leaked passwords.',
  personal: 'Do not use your name or email address in it.',
  context: 'Do not use the name of the portal or the church in it.',
  guessable: 'It is easy to guess: use several unrelated words or a random mix.',
}
