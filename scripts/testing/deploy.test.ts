import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '#server/env.ts'
import { MAX_BYTES } from '#shared/imports/limits.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const has = (program: string) => spawnSync('which', [program]).status === 0
const UNITS = readdirSync(path.join(ROOT, 'deploy/systemd')).map((name) => `deploy/systemd/${name}`)

/** Variables read by the process manager and the shell, not by the portal. */
const NOT_OURS = ['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD_FILE']
const isKnown = (name: string) =>
  [...SETTING_NAMES, ...NOT_OURS].some((known) => [known, `${known}_FILE`].includes(name))

test('the portal reads every setting named in the examples', () => {
  const texts = [read('compose.yaml'), read('Dockerfile'), ...UNITS.map(read)]
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?<=^\s*|[{,=]\s*|^ENV .*|^Environment=.*)\b([A-Z][A-Z_0-9]{2,})(?=:\s|=)/gm)].map(
      ([name]) => name!,
    ),
  )
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !isKnown(name))).toEqual([])
})

test('the files of the image build exist, and nothing else is sent to the builder', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) => from!.split(' '))
  const allowed = read('.dockerignore').split('\n')
  for (const name of copied.filter((from) => from !== '.')) {
    expect(existsSync(path.join(ROOT, name)), name).toBe(true)
    expect(allowed).toContain(`!${name}`)
  }
  expect(allowed).toContain('*')
})

test('the proxies accept the largest file that the portal accepts', () => {
  const megabytes = MAX_BYTES / 1024 / 1024
  for (const [file, pattern] of [
    ['deploy/nginx.conf', /client_max_body_size (\d+)m;/],
    ['deploy/Caddyfile', /max_size (\d+)MB/],
  ] as const)
    expect(Number(pattern.exec(read(file))?.[1]), file).toBeGreaterThan(megabytes)
})

// Tests that need an installed program say so in their names.
test.skipIf(!has('systemd-analyze') || !existsSync('/usr/bin/node'))(
  'systemd reports no problem with the units (skipped without systemd-analyze)',
  () => {
    // It exits successfully for an unknown key and only prints a warning.
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...UNITS], { cwd: ROOT, encoding: 'utf8' })
    expect(stderr).toBe('')
  },
)

test.skipIf(!has('nginx') || !has('openssl'))('nginx accepts its example (skipped without nginx)', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-nginx-'))
  const key = path.join(folder, 'key.pem')
  const certificate = path.join(folder, 'certificate.pem')
  const subject = ['-subj', '/CN=portal.example.org', '-days', '2']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
    {
      stdio: 'ignore',
    },
  )
  const text = read('deploy/nginx.conf')
    .replace('/etc/ssl/portal/fullchain.pem', certificate)
    .replace('/etc/ssl/portal/privkey.pem', key)
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${folder}/pid;\nerror_log ${folder}/error.log;\n${text}`)
  const { status, stderr } = spawnSync('nginx', ['-t', '-c', file], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, expect.stringContaining('test is successful')])
})

test.skipIf(!has('caddy'))('Caddy accepts its example (skipped without caddy)', () => {
  const { status, stdout, stderr } = spawnSync(
    'caddy',
    ['validate', '--adapter', 'caddyfile', '--config', path.join(ROOT, 'deploy/Caddyfile')],
    { encoding: 'utf8' },
  )
  expect([status, stdout.trim(), stderr.match(/"level":"(warn|error)"/)]).toEqual([0, 'Valid configuration', null])
})
