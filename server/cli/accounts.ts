import { createAccount } from '#server/accounts/create-account.ts'
import { acceptPassword } from '#server/accounts/password-rules.ts'
import { recoveryLink } from '#server/accounts/users/recovery.ts'
import { endSessions } from '#server/accounts/users/role.ts'
import { audit } from '#server/audit/audit-log.ts'
import { asPortal } from '#server/db/claims.ts'
import type { Db } from '#server/db/connection.ts'
import { EMAIL } from '#shared/accounts/text.ts'
import type { AuditAction } from '#shared/audit/actions.ts'
import type { AppError } from '#shared/errors.ts'
import { ROLES, type Role } from '#shared/roles.ts'
import { type Command, type CommandDeps, parse, UsageError } from './command.ts'
import { table } from './table.ts'

export const ACCOUNT_COMMANDS: Record<string, Command> = {
  'admin:create': {
    usage: 'admin:create --email <address> --name <name> [--password-stdin] [--promote]',
    about: [
      'Creates an administrator account. Prints a link to choose a password, valid for one hour.',
      '  --password-stdin  reads the password from standard input, without a link',
      '  --promote         makes the existing account with this address an administrator; keeps its password',
    ],
    run: createAdmin,
  },
  'users:list': {
    usage: 'users:list [--role <role>] [--json]',
    about: ['Lists accounts with the scopes of their roles, newest first, at most 1,000.'],
    run: listUsers,
  },
}

async function createAdmin(args: string[], deps: CommandDeps): Promise<number> {
  const { values } = parse(args, {
    email: { type: 'string' },
    name: { type: 'string' },
    'password-stdin': { type: 'boolean' },
    promote: { type: 'boolean' },
  })
  const email = values.email?.trim().toLowerCase() ?? ''
  if (email.length > 254 || !EMAIL.test(email))
    throw new UsageError('--email needs an email address, such as name@example.org.')
  if (values.promote) {
    if (values.name || values['password-stdin'])
      throw new UsageError('--promote cannot be combined with --name or --password-stdin.')
    return promote(email, deps)
  }
  const name = values.name?.trim().replace(/\s+/g, ' ') ?? ''
  if (!name || name.length > 100) throw new UsageError('--name needs a name of at most 100 characters.')
  const password = values['password-stdin'] ? await accepted(await deps.readInput(), [name, email]) : undefined
  // The last token is the last name; a single-word name has no last name.
  const [, first_name = '', last_name = ''] = /^(.*?)(?: (\S+))?$/.exec(name) ?? []
  let link = ''
  const id = await createAccount(
    deps.database,
    { email, first_name, last_name, role: 'admin', ...(password ? { password } : {}) },
    async (db, { authUserId, profileId }) => {
      if (!password) link = await recoveryLink(db, authUserId, deps.publicUrl)
      await audited(db, 'user.create', profileId, null, { email, role: 'admin' })
    },
  )
  if (!id)
    throw new UsageError(
      `An account with the address ${email} already exists. Use --promote to make it an administrator.`,
    )
  deps.print(`${name} <${email}> is an administrator ${deps.where}.`)
  if (link) deps.print(`Choose a password within one hour:\n${link}`)
  return 0
}

async function accepted(password: string, personal: string[]): Promise<string> {
  try {
    await acceptPassword(password, personal)
  } catch (error) {
    throw new UsageError((error as AppError).fields?.password ?? (error as Error).message)
  }
  return password
}

async function promote(email: string, { database, print, where }: CommandDeps): Promise<number> {
  const was = await database.background.kysely.transaction().execute(async (db) => {
    const profile = await db
      .selectFrom('user_profiles')
      .select(['id', 'role', 'profile_status', 'role_ends_at'])
      .where('email', '=', email)
      .where('auth_user_id', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (!profile) throw new UsageError(`No account has the address ${email}. Leave out --promote to create one.`)
    const after = { role: 'admin', profile_status: 'active', role_ends_at: null } as const
    await db
      .updateTable('user_profiles')
      .set({
        ...after,
        ...{ scope_countries: null, scope_chapters: null, scope_everywhere: false, scope_reason: null },
        updated_at: new Date(),
      })
      .where('id', '=', profile.id)
      .execute()
    const { id, ...before } = profile
    await endSessions(db, id)
    await audited(db, 'user.role', id, before, after)
    return before
  })
  print(
    was.role === 'admin'
      ? `${email} is an administrator ${where}.`
      : `${email} was ${was.role} and is now an administrator ${where}.`,
  )
  return 0
}

const audited = (db: Db, action: AuditAction, id: string, before: object | null, after: object) =>
  asPortal(db, () =>
    audit(db, null, { action, subject_type: 'user', subject_id: id, before, after, reason: 'command line' }),
  )

async function listUsers(args: string[], deps: CommandDeps): Promise<number> {
  const { values } = parse(args, { role: { type: 'string' }, json: { type: 'boolean' } })
  if (values.role !== undefined && !(ROLES as readonly string[]).includes(values.role))
    throw new UsageError(`--role must be one of: ${ROLES.join(', ')}.`)
  const role = values.role as Role | undefined
  const users = await deps.database.background.kysely
    .selectFrom('user_profiles')
    .select(['id', 'email', 'display_name', 'role', 'profile_status', 'role_ends_at', 'created_at', 'last_login_at'])
    .select(['scope_countries', 'scope_chapters', 'scope_everywhere', 'scope_reason'])
    .where('profile_status', '!=', 'deleted')
    .where((eb) => (role === undefined ? eb.lit(true) : eb('role', '=', role)))
    .orderBy('created_at', 'desc')
    .limit(1000)
    .execute()
  if (values.json) {
    deps.print(JSON.stringify({ users }, null, 2))
    return 0
  }
  const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? '-'
  const rows = users.map((u) => [
    u.email,
    u.display_name,
    u.role_ends_at ? `${u.role} until ${day(u.role_ends_at)}` : u.role,
    whereOf(u),
    u.profile_status,
    day(u.created_at),
    day(u.last_login_at),
  ])
  deps.print(table(['email', 'name', 'role', 'where', 'status', 'since', 'last here'], rows))
  return 0
}

/** Scope of a role: countries and chapters, or everywhere; a role without a scope has none. */
function whereOf(user: {
  role: Role
  scope_everywhere: boolean
  scope_countries: string[] | null
  scope_chapters: string[] | null
}): string {
  if (user.role === 'admin' || user.scope_everywhere) return 'everywhere'
  const chapters = user.scope_chapters?.length ?? 0
  const places = [...(user.scope_countries ?? []), ...(chapters > 0 ? [`${chapters} chapter(s)`] : [])]
  return places.join(' ') || '-'
}
