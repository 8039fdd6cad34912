import { UNSAFE_ErrorResponseImpl as ErrorResponse } from 'react-router'
import { describe, expect, test } from 'vitest'
import { livePage } from './live.ts'

const request = new Request('https://portal.example/countries/NE?a=1')
const failing = (error: unknown) => ({ request, serverLoader: () => Promise.reject(error) })

describe('the loader of a live page', () => {
  test('gives what the server answers', async () => {
    expect(await livePage<string>().load({ request, serverLoader: async () => 'new' })).toBe('new')
  })

  test.each([
    ['no network', new TypeError('Failed to fetch')],
    ['an error of the server', new ErrorResponse(503, '', null)],
  ])('keeps what is shown when a reload fails by %s', async (_, error) => {
    const page = livePage<string>()
    page.remember('/countries/NE?a=1', 'shown')
    expect(await page.load(failing(error))).toBe('shown')
  })

  test.each([
    ['nothing is shown yet', undefined],
    ['another page is shown', '/countries/NG?a=1'],
    ['the page is shown for another query', '/countries/NE'],
  ])('fails when %s', async (_, path) => {
    const page = livePage<string>()
    if (path) page.remember(path, 'shown')
    const error = new TypeError('Failed to fetch')
    await expect(page.load(failing(error))).rejects.toBe(error)
  })

  test.each([
    ['a redirect', new Response(null, { status: 302 })],
    ['a deleted record', new ErrorResponse(404, '', null)],
  ])('follows %s', async (_, error) => {
    const page = livePage<string>()
    page.remember('/countries/NE?a=1', 'shown')
    await expect(page.load(failing(error))).rejects.toBe(error)
  })
})
