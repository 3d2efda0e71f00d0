"""Records, sheets and the archive over HTTP."""

from records.archive import archive_api
from records.sheets import photo_api, table_api
from records.submissions import handing_in_api
from records.transcripts import typed_api, typed_code_api

routes = archive_api.routes
paths = [
    *archive_api.paths,
    *handing_in_api.paths,
    *table_api.paths,
    *photo_api.paths,
    *typed_api.paths,
    *typed_code_api.paths,
]
