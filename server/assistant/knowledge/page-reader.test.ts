import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { domainsOf, isWithin } from '#server/http/domains.ts'
import { feedServer } from '#server/testing/feed-server.ts'
import { PAGE_LIMITS, readPage } from './page-reader.ts'

const HTML = `<html lang="en-PH"><head><title>Lost passports</title></head><body><nav>Home</nav>
  <main><h1>Lost passports</h1><p>Go to the police first.</p></main></body></html>`
const html =
  (text: string | Buffer, type = 'text/html; charset=utf-8') =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(text)
  }

const read = (url: string, more: { allowsPrivate?: boolean; domains?: string[] } = {}, limits = PAGE_LIMITS) =>
  readPage(url, { domains: ['127.0.0.1'], publicUrl: 'https://portal.example', allowsPrivate: true, ...more }, limits)

test('a page is read without its menus, with its title and language', async () => {
  const server = await feedServer({ '/page': html(HTML) })
  expect(await read(`${server.url}/page`)).toMatchObject({
    title: 'Lost passports',
    language: 'en-ph',
    chunks: [{ heading: 'Lost passports', content: 'Go to the police first.' }],
  })
})

test('a page is decoded with its charset, also if only its markup declares it', async () => {
  const latin = Buffer.from('<meta charset="windows-1252"><p>Caf\xe9</p>', 'latin1')
  const server = await feedServer({
    '/named': html(latin, 'text/html; charset=windows-1252'),
    '/own': html(latin, 'text/html'),
  })
  for (const path of ['/named', '/own'])
    expect((await read(server.url + path)).chunks).toEqual([{ heading: null, content: 'Café' }])
})

test.each<[string, Parameters<typeof read>[1], string]>([
  ['of another domain', { domains: ['gov.uk'] }, 'This domain is not on the list of allowed domains'],
  ['at this machine', { allowsPrivate: false }, 'an address that is not https'],
])('a page %s is not requested', async (_, more, reason) => {
  const server = await feedServer({ '/page': html(HTML) })
  await expect(read(`${server.url}/page`, more)).rejects.toThrow(reason)
  expect(server.requests).toEqual([])
})

test('a private address behind an allowed name is not connected to', async () => {
  await expect(read('https://127.0.0.1/page', { allowsPrivate: false })).rejects.toThrow('a private address')
})

test('a redirect to another domain is not followed', async () => {
  const server = await feedServer({
    '/away': (_, response) => void response.writeHead(302, { location: 'http://elsewhere.example/' }).end(),
  })
  await expect(read(`${server.url}/away`)).rejects.toThrow('the host elsewhere.example')
})

test('an oversized, slow, missing, empty or non-page response is rejected with a reason', async () => {
  const server = await feedServer({
    '/bomb': (_, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(6 * 1024 * 1024, 'a'))),
    '/slow': () => {},
    '/empty': html('<main></main>'),
    '/pdf': html('%PDF', 'application/pdf'),
  })
  await expect(read(`${server.url}/bomb`)).rejects.toThrow('it is larger than 4 MB')
  await expect(read(`${server.url}/slow`, {}, { ...PAGE_LIMITS, totalMs: 300 })).rejects.toThrow('not complete within')
  await expect(read(`${server.url}/gone`)).rejects.toThrow('It answered 404')
  await expect(read(`${server.url}/empty`)).rejects.toThrow('The page contains no text')
  await expect(read(`${server.url}/pdf`)).rejects.toThrow('It is no page but application/pdf')
})

test('domains are comma-separated and include their subdomains', () => {
  expect(domainsOf('GOV.uk, www.dmw.gov.ph')).toEqual(['gov.uk', 'dmw.gov.ph'])
  expect(domainsOf('')).toEqual([])
  for (const wrong of ['https://gov.uk', 'gov.uk/path', 'localhost', '10.0.0.1', 'gov.uk:8443'])
    expect(domainsOf(wrong)).toBe(null)
  expect(isWithin('www.gov.uk', ['gov.uk'])).toBe(true)
  expect(isWithin('notgov.uk', ['gov.uk'])).toBe(false)
})
