import { createHash, createHmac } from 'node:crypto'

/**
 * A token as the database stores it. better-auth uses the same hash for identifiers of verifications.
 */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * A short code as the database stores it: keyed with the portal's secret, because six digits alone are quickly
 * brute-forced.
 */
export const hashCode = (code: string, secret: string): string =>
  createHmac('sha256', `codes ${secret}`).update(code).digest('base64url')
