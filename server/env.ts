import path from 'node:path'
import * as z from 'zod'

const wholeNumber = (least: number, most: number) =>
  z.coerce
    .number(`must be a whole number from ${least} to ${most}`)
    .pipe(
      z
        .int(`must be a whole number from ${least} to ${most}`)
        .min(least, `must be at least ${least}`)
        .max(most, `must be at most ${most}`),
    )

const Env = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  DATABASE_POOL: wholeNumber(2, 200).default(10),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
    .optional(),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  /** 'off' keeps the sources from being fetched by schedule (a machine without a network, a test). */
  FEEDS: z.enum(['on', 'off']).default('on'),
  /** Lets sources on private addresses be fetched: for a test with a server on this machine only. */
  FEEDS_ALLOW_PRIVATE: z.stringbool().default(false),
})

export type Settings = Readonly<{
  mode: 'development' | 'production' | 'test'
  port: number
  host: string
  /** Absolute; where the embedded database and files live. */
  dataDir: string
  databaseUrl: string | undefined
  poolSize: number
  publicUrl: string
  runsWeb: boolean
  runsWorker: boolean
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  fetchesFeeds: boolean
  allowsPrivateFeeds: boolean
  /** Embedded: nothing configured, sample content, everything sent is recorded instead. */
  isEmbedded: boolean
}>

/** Reads the settings from the environment once. Throws one clear message that names every bad value. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Env.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(
      `These settings in the environment cannot be used:\n${lines.join('\n')}\nSee docs/operating.md for each.`,
    )
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
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST === '0.0.0.0' ? 'localhost' : env.HOST}:${env.PORT}`).replace(
      /\/+$/,
      '',
    ),
    runsWeb: env.ROLE !== 'worker',
    runsWorker: env.ROLE !== 'web',
    logLevel: env.LOG_LEVEL,
    fetchesFeeds: env.FEEDS === 'on',
    allowsPrivateFeeds: env.FEEDS_ALLOW_PRIVATE,
    isEmbedded: !env.DATABASE_URL,
  }
}
