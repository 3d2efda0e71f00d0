// A page in a frame of another site: only its stream.
import { connect } from "./live.js";
import { watchParts } from "./parts.js";

watchParts();
connect();
