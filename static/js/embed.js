// A page in a frame of another site: it follows its own stream, and nothing else.
import { connect } from "./live.js";
import { watchParts } from "./parts.js";

watchParts();
connect();
