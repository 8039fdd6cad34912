import type { ConsoleMessage, Page } from '@playwright/test'

/** Everything the browser complains about, and everything it asks of others, from now on. */
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

/** Broken rules of the page's own content policy, told by the browser itself. */
export const reportPolicyViolations = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    )
  })
