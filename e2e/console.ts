import type { ConsoleMessage, Page } from '@playwright/test'

/** Collects console messages and requests to other origins from now on. */
export function listen(page: Page, origin: string) {
  const heard: string[] = []
  page.on('console', (message: ConsoleMessage) => heard.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => heard.push(`exception: ${error.message}`))
  page.on('request', (request) => {
    const { protocol, origin: requestOrigin } = new URL(request.url())
    if (requestOrigin !== origin && protocol !== 'data:' && protocol !== 'blob:') heard.push(`asked ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (new URL(socket.url()).host !== new URL(origin).host) heard.push(`asked ${socket.url()}`)
  })
  return heard
}

/** Logs violations of the page's Content-Security-Policy, as reported by the browser. */
export const reportPolicyViolations = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    )
  })
