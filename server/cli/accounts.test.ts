import { expect, test } from 'vitest'
import { hashToken } from '#server/accounts/token-hash.ts'
import { whereIs } from '#server/cli.ts'
import { commandLine } from '#server/testing/command-line.ts'

const { folder, portal, portalWith, rows } = await commandLine({
  environment: { PUBLIC_URL: 'https://portal.example' },
})

test('the first administrator is created with a link to choose a password', async () => {
  const made = await portal('admin:create', '--email', 'Ruth@Example.org', '--name', 'Ruth  dela Cruz')
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toMatch(
    /^Ruth dela Cruz <ruth@example\.org> is an administrator on the embedded database in \S*portal-cli-\w+\.\nChoose .*\nhttps:\/\/portal\.example\/reset-password\?token=[\w-]{32}$/,
  )
  const token = made.out.split('token=')[1]
  expect(
    await rows(`select p.role, p.profile_status, p.registration_method, s.first_name, s.last_name,
      v.expires_at > now() + interval '59 minutes' as is_open
      from user_profiles p join persons s on s.id = p.person_id
      join auth_verifications v on v.value = p.auth_user_id::text and v.identifier = '${hashToken(`reset-password:${token}`)}'`),
  ).toEqual([
    {
      role: 'admin',
      profile_status: 'active',
      registration_method: 'admin_created',
      first_name: 'Ruth dela',
      last_name: 'Cruz',
      is_open: true,
    },
  ])
  expect(await rows(`select actor_role, action, reason from audit_log`)).toEqual([
    { actor_role: 'service', action: 'user.create', reason: 'command line' },
  ])
})

test('a password comes from standard input, never from the command line, and must be strong', async () => {
  const argv = ['admin:create', '--email', 'omar@example.org', '--name', 'Omar', '--password-stdin']
  expect(await portalWith('password123', argv)).toMatchObject({ code: 2, out: '' })
  expect(await portalWith('', argv)).toMatchObject({ code: 2, out: '' })
  const made = await portalWith('seven purple lanterns', argv)
  expect(made).toMatchObject({
    code: 0,
    out: `Omar <omar@example.org> is an administrator on the embedded database in ${folder}.`,
  })
  expect(await rows(`select provider_id from auth_accounts where password is not null`)).toHaveLength(1)
})

test('an address that has an account is refused; --promote makes that account an administrator', async () => {
  const again = await portal('admin:create', '--email', 'ruth@example.org', '--name', 'Ruth')
  expect(again).toMatchObject({
    code: 2,
    err: expect.stringContaining('already exists. Use --promote'),
  })
  await rows(
    `update user_profiles set role = 'local_servant', scope_countries = '{JP}' where email = 'ruth@example.org'`,
  )
  const promoted = await portal('admin:create', '--email', 'ruth@example.org', '--promote')
  expect(promoted).toMatchObject({
    code: 0,
    out: `ruth@example.org was local_servant and is now an administrator on the embedded database in ${folder}.`,
  })
  expect(await rows(`select role, scope_countries from user_profiles where email = 'ruth@example.org'`)).toEqual([
    { role: 'admin', scope_countries: null },
  ])
  expect(await rows(`select before ->> 'role' as was from audit_log where action = 'user.role'`)).toEqual([
    { was: 'local_servant' },
  ])
})

test('accounts are listed, optionally by role', async () => {
  const { out } = await portal('users:list', '--role', 'admin')
  expect(out.split('\n')[0]).toMatch(/^email\s+name\s+role\s+where\s+status\s+since\s+last here$/)
  expect(out).toMatch(/ruth@example\.org\s+Ruth dela Cruz\s+admin\s+everywhere\s+active/)
  const { users } = JSON.parse((await portal('users:list', '--json')).out)
  expect(users).toHaveLength(2)
  await rows(
    `update user_profiles set role = 'mfa_coordinator', scope_countries = '{JP,SA}' where email = 'omar@example.org'`,
  )
  expect((await portal('users:list', '--role', 'mfa_coordinator')).out).toMatch(
    /Omar\s+mfa_coordinator\s+JP SA\s+active/,
  )
  expect((await portal('users:list', '--role', 'member')).out.split('\n')).toHaveLength(1)
})

test.each([
  [['admin:create', '--name', 'Ruth'], '--email needs an email address'],
  [['admin:create', '--email', 'ruth', '--name', 'Ruth'], '--email needs an email address'],
  [['admin:create', '--email', 'x@example.org'], '--name needs a name'],
  [['admin:create', '--email', 'x@example.org', '--name', 'X', '--promote'], 'cannot be combined with --name'],
  [['admin:create', '--email', 'x@example.org', '--promote'], 'No account has the address'],
  [['admin:create', '--email', 'x@example.org', '--name', 'X', '--password', 'secret'], "Unknown option '--password'"],
  [['users:list', '--role', 'king'], '--role must be one of: admin,'],
])('portal %j is refused', async (argv, message) => {
  expect(await portal(...argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
})

test.each([
  ['postgres://portal:secret@db.internal/portal', 'on postgres db.internal/portal'],
  ['postgres://portal:secret@db.internal:5433/live?sslmode=require', 'on postgres db.internal:5433/live'],
  ['postgres:///portal?host=/var/run/postgresql', 'on postgres /var/run/postgresql/portal'],
])('the database at %s is named without its password', (databaseUrl, where) => {
  expect(whereIs({ databaseUrl, dataDir: './data' } as never)).toBe(where)
})
