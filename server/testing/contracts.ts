import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'

type Json = Record<string, any>

/** Published OpenAPI documents of providers, stored in fixtures/contracts. */
export const CONTRACTS = {
  twilio: 'twilio-api-v2010-messages-subset.json',
  whatsapp: 'whatsapp-cloud-v23-messages-subset.json',
} as const
export type Contract = keyof typeof CONTRACTS

const fileOf = (contract: Contract) =>
  fileURLToPath(new URL(`../../fixtures/contracts/${CONTRACTS[contract]}`, import.meta.url))

/** The schema at a path of a document ('components/schemas/TextMessage'), to validate requests and responses. */
export function contractSchema(contract: Contract, place: string[]): z.ZodType {
  const document = JSON.parse(readFileSync(fileOf(contract), 'utf8')) as Json
  const found = place.reduce<Json | undefined>((node, name) => node?.[name], document)
  if (!found) throw new Error(`${contract} has nothing at ${place.join(' → ')}`)
  return z.fromJSONSchema(plain(document, found) as never, { defaultTarget: 'openapi-3.0' })
}

/** Inlines references and keeps only validation keywords. */
function plain(document: Json, node: unknown, isPartial = false): unknown {
  if (Array.isArray(node)) return node.map((item) => plain(document, item))
  if (typeof node !== 'object' || node === null) return node
  const { $ref } = node as Json
  if (typeof $ref === 'string') {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((found: Json, name) => found[name], document)
    return plain(document, target, isPartial)
  }
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]): [string, unknown][] => {
      if (/^(description|examples?|title|discriminator|x-.*|deprecated)$/.test(name) && typeof value !== 'object')
        return []
      if (/^(examples?|discriminator|x-.*)$/.test(name)) return []
      if (name === 'format' && value !== 'uri') return []
      // In part of an allOf, "nothing else" would reject the other parts.
      if (name === 'additionalProperties' && isPartial) return []
      if (name === 'allOf') return [[name, (value as unknown[]).map((schema) => plain(document, schema, true))]]
      return [[name, plain(document, value)]]
    }),
  )
}

/** Serves a document with Prism, which validates requests; needs its path in PRISM_CLI. */
export async function startPrism(contract: Contract): Promise<{ url: string; stop: () => void }> {
  const port = await freePort()
  const args = [process.env.PRISM_CLI!, 'mock', '-h', '127.0.0.1', '-p', String(port), '--errors', fileOf(contract)]
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  // Keep reading: Prism stops when its output is not consumed.
  await new Promise<void>((isUp) => child.stdout!.on('data', (text) => String(text).includes('listening') && isUp()))
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
