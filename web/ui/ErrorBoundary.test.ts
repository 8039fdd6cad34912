import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type BoundaryError, ErrorBoundary, MAX_RETRIES, RETRY_DELAY_MS } from './ErrorBoundary.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('defaults follow the specification', () => {
  expect(RETRY_DELAY_MS).toBe(3000)
  expect(MAX_RETRIES).toEqual({ component: 3, page: 2 })
})

test('retries three times, three seconds apart, and then stays failed', () => {
  const boundary = mount({ isAutoRetrying: true })
  for (let attempt = 1; attempt <= 3; attempt++) {
    boundary.fail()
    expect(boundary.shown()).toBe('retrying')
    vi.advanceTimersByTime(2999)
    expect(boundary.shown()).toBe('retrying')
    vi.advanceTimersByTime(1)
    expect(boundary.shown()).toBe('children')
  }
  boundary.fail()
  expect(boundary.shown()).toBe('failed')
  vi.advanceTimersByTime(60_000)
  expect(boundary.shown()).toBe('failed')
})

test('a page retries twice', () => {
  const boundary = mount({ isAutoRetrying: true, level: 'page' })
  for (let attempt = 1; attempt <= 2; attempt++) {
    boundary.fail()
    vi.advanceTimersByTime(3000)
  }
  boundary.fail()
  expect(boundary.shown()).toBe('failed')
})

test('retries automatically only if enabled; a manual retry starts over', () => {
  const boundary = mount({})
  boundary.fail()
  vi.advanceTimersByTime(60_000)
  expect(boundary.shown()).toBe('failed')
  boundary.retry()
  expect(boundary.shown()).toBe('children')
})

test('new reset keys cause a retry, the same ones do not', () => {
  const boundary = mount({ resetKeys: ['JP', 1] })
  boundary.fail()
  boundary.update({ resetKeys: ['JP', 1] })
  expect(boundary.shown()).toBe('failed')
  boundary.update({ resetKeys: ['QA', 1] })
  expect(boundary.shown()).toBe('children')
})

test('reports the error', () => {
  const onError = vi.fn()
  mount({ onError }).fail()
  expect(onError).toHaveBeenCalledWith(expect.any(Error), 'at Part')
})

type Props = ConstructorParameters<typeof ErrorBoundary>[0]

/** Drives the class as React does, without a document. */
function mount(props: Partial<Props>) {
  let error: BoundaryError | undefined
  const fallback = (latest: BoundaryError) => {
    error = latest
    return latest.isRetrying ? 'retrying' : 'failed'
  }
  const boundary = new ErrorBoundary({ children: 'children', fallback, ...props })
  boundary.setState = (change: unknown) => {
    boundary.state = { ...boundary.state, ...(change as typeof boundary.state) }
  }
  return {
    shown: () => boundary.render(),
    fail() {
      const error = new Error('broken')
      boundary.setState(ErrorBoundary.getDerivedStateFromError(error) as never)
      boundary.componentDidCatch(error, { componentStack: 'at Part' })
    },
    retry() {
      boundary.render()
      error?.retry()
    },
    update(change: Partial<Props>) {
      const before = boundary.props as Props
      Object.assign(boundary, { props: { ...before, ...change } })
      boundary.componentDidUpdate(before)
    },
  }
}
