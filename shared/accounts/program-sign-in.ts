import * as z from 'zod'
import { endpoint } from '#shared/contract.ts'

/** RFC 8252, 7.3: only a program on the same device receives what is sent to such an address. */
function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, hash } = new URL(address)
  return protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(hostname) && !username && !password && !hash
}

/** What a program asks for when it opens the browser (RFC 7636). */
export const ProgramRequest = z.strictObject({
  code_challenge: z
    .string()
    .regex(/^[\w-]{43}$/, 'Enter the SHA-256 of the verifier, in base64url without padding')
    .describe('SHA-256 of the verifier, which the program keeps, in base64url'),
  code_challenge_method: z.literal('S256').default('S256'),
  redirect_uri: z
    .string()
    .max(200)
    .refine(isLoopback, 'Enter an address on this device, such as http://127.0.0.1:8123/')
    .describe('Where the program listens for the code: http on 127.0.0.1 or [::1]'),
  state: z.string().max(200).optional().describe('Returned unchanged'),
})

export const authorizeProgram = endpoint({
  method: 'POST',
  path: '/auth/authorize',
  access: 'signedIn',
  summary: 'Issues a code to a program on the same device. Valid once, for two minutes, together with the verifier',
  body: ProgramRequest,
  response: z.object({
    auth_code: z.string(),
    expires_in: z.int().describe('Seconds'),
    redirect_to: z.string().describe('redirect_uri with code and state'),
  }),
})
