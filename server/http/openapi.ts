import * as z from 'zod'
import type { Endpoint } from '#shared/contract.ts'

/** OpenAPI 3.1 generated from the contract: inputs as callers send them, outputs as they are returned. */
export function documentEndpoints(endpoints: Endpoint[], publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const endpoint of endpoints)
    for (const path of [endpoint.path, ...(endpoint.also ?? [])]) {
      const method = endpoint.method.toLowerCase()
      paths[`/api${path}`] = { ...paths[`/api${path}`], [method]: operation(endpoint, path) }
    }
  return {
    openapi: '3.1.0',
    info: {
      title: 'MFA Portal',
      version: '1',
      description:
        'Every response has `success`. Errors are `{ success: false, error, code, fields? }`: 401 not signed in, 403 not allowed for the role, 422 one message per field, 503 try again later.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: { schemas: { Failure: FAILURE } },
  }
}

const FAILURE = {
  type: 'object',
  required: ['success', 'error', 'code'],
  properties: {
    success: { const: false },
    error: { type: 'string' },
    code: { type: 'string' },
    id: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
  },
}

function operation(endpoint: Endpoint, path: string) {
  const failure = {
    description: 'Error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
  }
  const expected = [
    ...(endpoint.access === 'anyone' ? [] : ['401', '403']),
    ...(endpoint.params || endpoint.query || endpoint.body ? ['422'] : []),
    ...(endpoint.params ? ['404'] : []),
    '503',
  ]
  return {
    operationId: `${endpoint.method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
    summary: endpoint.summary,
    'x-access': endpoint.access,
    parameters: [...parameters('path', endpoint.params), ...parameters('query', endpoint.query)],
    ...(endpoint.body ? { requestBody: { content: bodyOf(endpoint, endpoint.body) } } : {}),
    responses: {
      [String(endpoint.status ?? 200)]: {
        description: 'Success',
        content: {
          'application/json': {
            schema: {
              allOf: [
                { type: 'object', properties: { success: { const: true } } },
                toSchema(endpoint.response, 'output'),
              ],
            },
          },
        },
      },
      ...Object.fromEntries(expected.map((status) => [status, failure])),
    },
  }
}

function bodyOf({ takesFile }: Endpoint, schema: z.ZodType) {
  if (!takesFile) return { 'application/json': { schema: toSchema(schema, 'input') } }
  const file = { type: 'string', format: 'binary' }
  return {
    'application/octet-stream': { schema: file },
    'multipart/form-data': { schema: { type: 'object', properties: { file } } },
  }
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined) {
  if (!schema) return []
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, unknown>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const {
    $schema: _,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>
  if (!$defs) return rest
  // Only z.json() is recursive, and no reference inside the document can resolve to it: anything is allowed.
  return JSON.parse(JSON.stringify(rest), (_, value) => (value?.$ref?.startsWith('#/$defs/') ? {} : value))
}
