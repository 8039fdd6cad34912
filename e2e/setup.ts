import { startPortal } from './portal.ts'

/** One portal with sample content for all journeys that only read. */
export default async function setup() {
  const portal = await startPortal({ PORT: process.env.E2E_PORT ?? '3210', CITIES: '4000' })
  return () => portal.stop()
}
