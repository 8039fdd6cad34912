import { expect, test } from 'vitest'
import { choiceCookies } from './choice-cookies.ts'
import { questionOf } from './raw-request.ts'

const secure = choiceCookies('https://portal.example.org')
const plain = choiceCookies('http://127.0.0.1:3000')
const cookie = (line: string) => new Headers({ cookie: line })

test('over TLS a choice cookie belongs to this host alone, is sent over TLS only and is out of reach for scripts', () => {
  expect(secure.line('lng', 'ar')).toBe('__Host-lng=ar; Path=/; Max-Age=31536000; HttpOnly; Secure; SameSite=Lax')
  expect(plain.line('place', 'QA')).toBe('place=QA; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax')
})

test('a choice from before the prefix still counts, and the prefixed one takes precedence', () => {
  expect(secure.find(cookie('a=1; lng=ar'), 'lng')).toBe('ar')
  expect(secure.find(cookie('lng=en; __Host-lng=ar'), 'lng')).toBe('ar')
  expect(secure.find(cookie('__Host-place=QA'), 'place')).toBe('QA')
  expect(secure.find(cookie('x-lng=ar'), 'lng')).toBeUndefined()
  expect(secure.find(new Headers(), 'lng')).toBeUndefined()
})

test('a caller with only language and country cookies is anonymous, under either name', () => {
  const question = (line: string) =>
    questionOf({ method: 'GET', url: '/', header: (name) => (name === 'cookie' ? line : undefined) })
  for (const line of ['lng=ar', '__Host-lng=ar', '__Host-lng=ar; __Host-place=QA', 'lng=en; __Host-place=QA'])
    expect(question(line)).toBe(`/\n\n${line}`)
  for (const line of ['__Host-mfa.session_token=x', '__Host-lng=ar; mfa.session_token=x', '__Host-lng=arabic'])
    expect(question(line)).toBeUndefined()
})
