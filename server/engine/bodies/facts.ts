import { likelyEntryName } from '../../archive/names/entry-name.ts'
import { isTextLike } from '../../archive/names/media-type.ts'
import { nameInHead } from '../../fetching/content/content-disposition.ts'
import { declaredLength } from '../../fetching/content/content-length.ts'
import { lastModifiedOf, type Validators, validatorsOf } from '../../fetching/content/validator.ts'
import type { SourceResponse } from '../../fetching/response.ts'
import type { SourceUrl } from '../../fetching/source-url.ts'
import { copyOf } from '../../text/copy-of.ts'
import type { StoredEntry } from '../checkpoint/checkpoint.ts'
import type { AboutBody, BodyFacts } from './incoming-body.ts'

/**
 * The facts about the body of a response.
 * @param source its URL as submitted, the name that the client requested, and whether its SHA-256 is wanted
 * @param isDecoded whether what is packed is not the body as it is sent
 */
export function bodyFacts(
  position: number,
  source: { readonly url: SourceUrl; readonly filename: string | null; readonly isHashed: boolean },
  response: SourceResponse,
  isDecoded: boolean,
): BodyFacts {
  const { headers } = response
  const contentType = headers.get('content-type')
  const validators = validatorsOf(response, source.url)
  return {
    position,
    name: copyOf(likelyEntryName(source, { headerName: nameInHead(headers), contentType })),
    declaredBytes: isDecoded ? null : declaredLength(headers),
    isTextLike: isTextLike(contentType),
    modifiedAtMs: lastModifiedOf(headers) ?? Date.now(),
    isDecoded,
    isHashed: source.isHashed,
    validators: { ...validators, etag: validators.etag === null ? null : copyOf(validators.etag) },
  }
}

/** What the entry of a fetched body says, however the body is packed. */
export function fetchedEntry(
  { position, name, modifiedAtMs, validators }: BodyFacts,
  about: AboutBody,
): FetchedEntry {
  return {
    status: 'stored',
    position,
    name,
    modifiedAtMs,
    ...validators,
    isReused: false,
    kept: null,
    ...about,
  }
}

type FetchedEntry = Pick<
  StoredEntry,
  'status' | 'position' | 'name' | 'modifiedAtMs' | 'isReused' | 'kept' | keyof AboutBody | keyof Validators
>
