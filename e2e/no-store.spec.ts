import routes from '../web/routes.ts'
import { SAMPLE_PASSWORD } from './auth.ts'
import { expect, test } from './test.ts'

interface Route {
  path?: string
  children?: Route[]
}

/** Every path of the route table; parameters are replaced by an id that does not exist. */
const addressesOf = (list: Route[]): string[] =>
  list.flatMap(({ path, children }) => [
    ...(path && !path.includes('*') ? [`/${path.replace(/:\w+/g, '00000000-0000-4000-8000-000000000000')}`] : []),
    ...addressesOf(children ?? []),
  ])

test('no page for signed-in users is cacheable', async ({ request, baseURL }) => {
  test.setTimeout(300_000)
  const login = await request.post('/api/auth/login', {
    data: { email: 'admin@sample.invalid', password: SAMPLE_PASSWORD },
    headers: { origin: baseURL! },
    timeout: 60_000,
  })
  expect(login.status()).toBe(200)
  const cached: string[] = []
  const addresses = addressesOf(routes as Route[]).filter((address) => address !== '/logout')
  expect(addresses.length).toBeGreaterThan(60)
  for (const address of addresses) {
    const answer = await request.get(address, { maxRedirects: 0, timeout: 60_000 })
    const control = answer.headers()['cache-control'] ?? ''
    if (!control.includes('no-store')) cached.push(`${address} ${answer.status()} ${control}`)
  }
  expect(cached).toEqual([])
})
