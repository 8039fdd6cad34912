import { afterEach, expect, test, vi } from 'vitest'
import { recover } from './recovery.ts'

afterEach(() => vi.unstubAllGlobals())

/** A browser at an address, with what an attempt to sign in left in its storage. */
function browserAt(address: string) {
  const history = { state: { key: 'abc' }, replaceState: vi.fn() }
  const storage = (entries: Record<string, string>) =>
    Object.defineProperty(entries, 'removeItem', { value: (key: string) => delete entries[key] })
  const localStorage = storage({ oauth_state: 'x', 'sb-project-auth-token': 'y', theme: 'dark' })
  const sessionStorage = storage({ 'my-oauth-verifier': 'z', drawer: 'small' })
  vi.stubGlobal('history', history)
  vi.stubGlobal('location', { href: address })
  vi.stubGlobal('window', { localStorage, sessionStorage })
  recover()
  expect(history.replaceState).toHaveBeenCalledTimes(1)
  const [state, , url] = history.replaceState.mock.calls[0]!
  return { state, url: String(url), localStorage, sessionStorage }
}

test('a failed return from another service leaves nothing in the URL and nothing of the attempt on the device', () => {
  const { state, url, localStorage, sessionStorage } = browserAt(
    'https://portal.example/login?error=google&reason=google_refused&error_description=a%20b&error_code=1&code=secret&state=s&ended=expired',
  )
  expect(url).toBe('https://portal.example/login')
  // Replaced, not pushed: "back" does not bring the code back, and the router still knows its entry.
  expect(state).toEqual({ key: 'abc' })
  expect({ ...localStorage }).toEqual({ theme: 'dark' })
  expect({ ...sessionStorage }).toEqual({ drawer: 'small' })
})

test('the return address and the language stay', () => {
  expect(browserAt('https://portal.example/login?lng=ar&error=google&returnTo=%2Fdashboard%3Fa%3D1').url).toBe(
    'https://portal.example/login?lng=ar&returnTo=%2Fdashboard%3Fa%3D1',
  )
})

test.each([
  ['#access_token=secret&token_type=bearer', ''],
  ['#error=access_denied', ''],
  ['#main', '#main'],
])('the hash %s becomes %s', (hash, left) => {
  expect(browserAt(`https://portal.example/login?error=google${hash}`).url).toBe(`https://portal.example/login${left}`)
})
