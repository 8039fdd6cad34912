import { prepareData, startPortal } from './portal.ts'

/** The content that every portal starts with, and one portal for all tests that only read. */
export default async function setup() {
  const removeData = await prepareData()
  const portal = await startPortal({ PORT: process.env.E2E_PORT ?? '3210', CITIES: '4000' })
  return async () => {
    await portal.stop()
    removeData()
  }
}
