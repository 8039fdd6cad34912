import { isRouteErrorResponse } from 'react-router'
import type { Key } from '#web/lib/i18n.tsx'

/** An error as shown to the user: severity, text, and the id to find it by. */
export interface ErrorDetails {
  severity: 'error' | 'warning' | 'info'
  message: Key<'content'>
  /** The server's message for an expected error, in English. */
  text: string | undefined
  id: string
  at: string
  /** Id and time came with the error; otherwise they were made here, and the server's would differ. */
  isNamed: boolean
  name: string
  stack: string
}

interface Answer {
  error?: string
  fields?: Record<string, string>
  id?: string
  at?: string
}

export function describe(error: unknown, reportedId?: string): ErrorDetails {
  const isAnswered = isRouteErrorResponse(error)
  const answer: Answer = (isAnswered && isObject(error.data) && error.data) || {}
  const id = reportedId ?? answer.id
  return {
    ...classify(error, id !== undefined),
    text: isAnswered && error.status < 500 ? messageOf(answer) : undefined,
    id: id ?? newErrorId(),
    at: answer.at ?? new Date().toISOString(),
    isNamed: id !== undefined && answer.at !== undefined,
    name: nameOf(error, answer),
    stack: error instanceof Error ? (error.stack ?? '') : '',
  }
}

/** A page has no form fields to mark, so it lists the field errors. */
const messageOf = ({ error, fields }: Answer) => Object.values(fields ?? {}).join(' ') || error

function classify(error: unknown, isReported: boolean): Pick<ErrorDetails, 'severity' | 'message'> {
  if (isStaleBuild(error)) return { severity: 'warning', message: 'error_chunk' }
  if (isNetworkError(error)) return { severity: 'info', message: 'error_network' }
  // Only claim that the team was notified if it was.
  return { severity: 'error', message: isReported ? 'error_unexpected' : 'error_unexpected_plain' }
}

/** A file of the page's build is gone. The message differs by browser. */
export const isStaleBuild = (error: unknown) =>
  /dynamically imported module|importing a module script failed|loading (css )?chunk|unable to preload css/i.test(
    textOf(error),
  )

export const isNetworkError = (error: unknown) =>
  /failed to fetch|networkerror|network (error|request failed)|load failed|fetch failed|timed out/i.test(
    textOf(error),
  ) ||
  (isObject(error) && 'status' in error && error.status === 0)

function nameOf(error: unknown, answer: Answer): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return isRouteErrorResponse(error) ? `${error.status} ${answer.error ?? error.statusText}`.trim() : String(error)
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : '')
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

// Easy to read aloud on the phone: no letter that looks like a digit.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

function newErrorId(): string {
  const group = () => Array.from({ length: 4 }, () => LETTERS[Math.floor(Math.random() * LETTERS.length)]).join('')
  return `E-${group()}-${group()}`
}
