import { createHmac } from 'node:crypto'
import type { Page } from '@playwright/test'
import { type HubPeer, hubPeer } from '#server/testing/hub.ts'
import { type OpenIdPeer, openIdPeer } from '#server/testing/openid.ts'
import { type MailPeer, startMailPeer } from '#server/testing/smtp.ts'
import { freePort, type Portal, startPortal } from './portal.ts'

export const SAMPLE_PASSWORD = 'portal-sample'

export interface AuthEnvironment {
  portal: Portal
  mail: MailPeer
  google: OpenIdPeer
  hub: HubPeer
  close(): Promise<void>
}

/** A portal with every sign-in provider on this machine: a mail server, Google and the member hub. */
export async function startAuthEnvironment(): Promise<AuthEnvironment> {
  const port = await freePort()
  const [mail, hub, google] = await Promise.all([
    startMailPeer(),
    hubPeer(),
    openIdPeer({ redirectUri: `http://127.0.0.1:${port}/auth/callback` }),
  ])
  const portal = await startPortal({
    PORT: String(port),
    SMTP_URL: mail.url,
    HUB_URL: hub.url,
    HUB_EMAIL_DOMAIN: 'members.example.org',
    GOOGLE_CLIENT_ID: google.clientId,
    GOOGLE_CLIENT_SECRET: google.clientSecret,
    GOOGLE_ISSUER: google.issuer,
  })
  return {
    portal,
    mail,
    google,
    hub,
    async close() {
      await portal.stop()
      await Promise.all([mail.close(), hub.close(), google.close()])
    },
  }
}

/** The authenticator code for a secret (RFC 6238), `steps` time steps of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret.replace(/\s/g, '')].map((l) => alphabet.indexOf(l).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const hash = createHmac('sha1', key).update(counter).digest()
  const number = hash.readUInt32BE(hash[19]! & 15) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}

export async function signIn(page: Page, email: string, password = SAMPLE_PASSWORD) {
  await page.getByLabel('Email address or phone number').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
