import path from 'node:path'
import * as z from 'zod'
import { PROVIDERS_ENV, type Providers, providersOf } from '#server/delivery/providers/settings.ts'
import { CITY_COUNT } from '#shared/churches/places.ts'
import { withFiles } from './env-secret-files.ts'

const wholeNumber = (least: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${least} to ${max}`)
    .pipe(
      z
        .int(`must be a whole number from ${least} to ${max}`)
        .min(least, `must be at least ${least}`)
        .max(max, `must be at most ${max}`),
    )

const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
    .optional(),
  /** 'off': commits of the embedded database do not wait for the disk. */
  DATABASE_SYNC: z.enum(['on', 'off']).default('on'),
  DATABASE_POOL: wholeNumber(2, 200).default(10),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' }).optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** 'off' disables scheduled feed fetching (a machine without a network, a test). */
  FEEDS: z.enum(['on', 'off']).default('on'),
  /** Allows sources on private addresses: only for a test with a server on this machine. */
  FEEDS_ALLOW_PRIVATE: z.stringbool().default(false),
  /** Signs cookies and encrypts the secrets of second steps; the same on every node. */
  AUTH_SECRET: z.string().min(32, 'must be at least 32 characters: openssl rand -base64 32').optional(),
  /** Number of proxies in front that each append the client address to X-Forwarded-For. */
  TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  /** Number of cities in the nearby search, the largest first; the whole list by default. */
  CITIES: wholeNumber(0, CITY_COUNT).default(CITY_COUNT),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** Another OpenID issuer instead of Google, for tests. */
  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  /** Enables church search at Google. */
  GOOGLE_PLACES_KEY: z.string().optional(),
  /** Another server instead of Google's, for tests. */
  GOOGLE_PLACES_URL: z.url({ protocol: /^https?$/ }).default('https://places.googleapis.com'),
  /** OpenAI-compatible endpoint that phrases the assistant's answers, such as https://api.openai.com/v1. */
  MODEL_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  MODEL_API_KEY: z.string().optional(),
  MODEL_NAME: z.string().min(1).default('gpt-4o-mini'),
  HUB_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Domain of the organisation, for members without an address at the hub. */
  HUB_EMAIL_DOMAIN: z.string().default('hub.invalid'),
  ...PROVIDERS_ENV,
  /** s3://bucket instead of the data directory; keys and region as the AWS SDK reads them. */
  FILES_URL: z
    .string()
    .regex(/^s3:\/\//, 'must start with s3://')
    .optional(),
  S3_ENDPOINT: z.url().optional(),
  /** Folder in which a worker makes scheduled backups of everything. */
  BACKUP_TO: z.string().min(1).optional(),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,2}h?$/, 'must be a number of hours such as 24h')
    .default('24h')
    .transform((text) => Number.parseInt(text, 10)),
  /** Number of backups to keep. */
  BACKUP_KEEP: wholeNumber(1, 10_000).default(14),
  /** File with the passphrase that encrypts backups. */
  BACKUP_PASSPHRASE_FILE: z.string().min(1).optional(),
  BACKUP_WITH_SECRETS: z.stringbool().default(false),
  /** Password of the demo logins in the sample content; required where others can reach the portal. */
  SAMPLE_PASSWORD: z.string().min(10, 'must be at least 10 characters').optional(),
})

/** All environment variables that are read; each may also be set as `NAME_FILE`. */
export const SETTING_NAMES: readonly string[] = Object.keys(Env.shape)
/** Scheduled backups. */
export interface BackupSettings {
  /** Absolute path. */
  to: string
  everyHours: number
  keep: number
  passphraseFile: string | undefined
  withSecrets: boolean
}

export type Settings = Readonly<{
  mode: 'development' | 'production' | 'test'
  port: number
  host: string
  /** Absolute path of the embedded database and files. */
  dataDir: string
  databaseUrl: string | undefined
  poolSize: number
  /** Embedded: confirmed writes survive a power cut. */
  isDurable: boolean
  publicUrl: string
  runsWeb: boolean
  runsWorker: boolean
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  fetchesFeeds: boolean
  allowsPrivateFeeds: boolean
  /** Number of cities a worker loads in the background, the largest first. */
  cities: number
  /** Embedded: nothing configured, sample content, all messages recorded instead of sent. */
  isEmbedded: boolean
  /** Absent: the portal generates one and stores it in the database. */
  authSecret: string | undefined
  trustedProxies: number
  google: { clientId: string; clientSecret: string; issuer: string } | undefined
  hub: { url: string; emailDomain: string } | undefined
  /** Absent: the assistant answers from templates only. */
  model: { url: string; key: string | undefined; name: string } | undefined
  /** Absent: Google is not queried for places. */
  places: { key: string; url: string } | undefined
  files: { bucket: string; endpoint: string | undefined } | undefined
  /** Absent: backups are made only on command. */
  backup: BackupSettings | undefined
  /** Absent: a known default where only this machine has access, and no demo logins elsewhere. */
  samplePassword: string | undefined
}> &
  Readonly<Providers>

/**
 * Reads the settings from the environment once; each may also be set as `NAME_FILE`, the path of a file that holds it.
 * Throws one clear message that names every bad value.
 */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const raw = Object.fromEntries(
    Object.entries(withFiles(environment, SETTING_NAMES)).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Env.safeParse(raw)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Invalid settings in the environment:\n${lines.join('\n')}\nSee docs/operating.md.`)
  }
  const env = parsed.data
  if (!env.DATABASE_URL && env.ROLE !== 'all')
    throw new Error('ROLE=web and ROLE=worker need DATABASE_URL: several processes cannot share the embedded database.')
  return {
    mode: env.NODE_ENV,
    port: env.PORT,
    host: env.HOST,
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    poolSize: env.DATABASE_POOL,
    isDurable: env.DATABASE_SYNC === 'on',
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST === '0.0.0.0' ? 'localhost' : env.HOST}:${env.PORT}`).replace(
      /\/+$/,
      '',
    ),
    runsWeb: env.ROLE !== 'worker',
    runsWorker: env.ROLE !== 'web',
    logLevel: env.LOG_LEVEL,
    fetchesFeeds: env.FEEDS === 'on',
    allowsPrivateFeeds: env.FEEDS_ALLOW_PRIVATE,
    cities: env.CITIES,
    isEmbedded: !env.DATABASE_URL,
    authSecret: env.AUTH_SECRET,
    trustedProxies: env.TRUSTED_PROXIES,
    google:
      env.GOOGLE_CLIENT_ID && env.GOOGLE_CLIENT_SECRET
        ? { clientId: env.GOOGLE_CLIENT_ID, clientSecret: env.GOOGLE_CLIENT_SECRET, issuer: env.GOOGLE_ISSUER }
        : undefined,
    places: env.GOOGLE_PLACES_KEY ? { key: env.GOOGLE_PLACES_KEY, url: env.GOOGLE_PLACES_URL } : undefined,
    hub: env.HUB_URL ? { url: env.HUB_URL, emailDomain: env.HUB_EMAIL_DOMAIN } : undefined,
    model: env.MODEL_BASE_URL
      ? { url: env.MODEL_BASE_URL.replace(/\/+$/, ''), key: env.MODEL_API_KEY, name: env.MODEL_NAME }
      : undefined,
    ...providersOf(env),
    files: env.FILES_URL ? { bucket: env.FILES_URL.slice('s3://'.length), endpoint: env.S3_ENDPOINT } : undefined,
    backup: env.BACKUP_TO
      ? {
          to: path.resolve(env.BACKUP_TO),
          everyHours: env.BACKUP_EVERY,
          keep: env.BACKUP_KEEP,
          passphraseFile: env.BACKUP_PASSPHRASE_FILE && path.resolve(env.BACKUP_PASSPHRASE_FILE),
          withSecrets: env.BACKUP_WITH_SECRETS,
        }
      : undefined,
    samplePassword: env.SAMPLE_PASSWORD,
  }
}
