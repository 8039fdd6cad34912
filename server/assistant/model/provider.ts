import { INVALID_RESPONSE } from './attempts.ts'

/** An OpenAI-compatible endpoint. */
export interface ModelSettings {
  url: string
  key: string | undefined
  name: string
}

export interface Prompt {
  system: string
  messages: readonly { role: 'user' | 'assistant'; content: string }[]
  temperature: number
  maxTokens: number
}

export interface Model {
  name: string
  /** Streams the text; `tokens` resolves after the end. Throws any error of the call. */
  stream(prompt: Prompt, signal: AbortSignal): { textStream: AsyncIterable<string>; tokens: () => Promise<number> }
}

/** A model client. Loads its library on the first call. Does not retry. */
export function createModel(settings: ModelSettings): Model {
  return {
    name: settings.name,
    stream(prompt, signal) {
      let tokens = 0
      async function* readText() {
        const [{ streamText }, { createOpenAICompatible }] = await Promise.all([
          import('ai'),
          import('@ai-sdk/openai-compatible'),
        ])
        const provider = createOpenAICompatible({
          name: 'model',
          baseURL: settings.url,
          includeUsage: true,
          // Redirects are refused, so that the key and the question go only to the configured address.
          fetch: (input, init) => fetch(input, { ...init, redirect: 'error' }),
          ...(settings.key ? { apiKey: settings.key } : {}),
        })
        const result = streamText({
          model: provider(settings.name),
          system: prompt.system,
          messages: [...prompt.messages],
          temperature: prompt.temperature,
          maxOutputTokens: prompt.maxTokens,
          maxRetries: 0,
          abortSignal: signal,
          // Errors are thrown below, while reading the stream.
          onError: () => {},
        })
        // Not `textStream`, which ends silently when the call fails or is aborted.
        for await (const part of result.fullStream) {
          if (part.type === 'text-delta') yield part.text
          else if (part.type === 'error') throw part.error
          else if (part.type === 'abort') throw signal.reason ?? new Error(INVALID_RESPONSE)
          else if (part.type === 'finish') tokens = part.totalUsage.totalTokens ?? 0
        }
      }
      return { textStream: readText(), tokens: async () => tokens }
    },
  }
}
