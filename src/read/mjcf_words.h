/* The words of MJCF: what an element stands in, its name, its attributes between blanks; NULL: it is passed over with
 * all that is in it. Written by tests/mjcf/schema.py. */
#ifndef ZI_READ_MJCF_WORDS_H
#define ZI_READ_MJCF_WORDS_H

typedef struct ziMjcfWords {
    const char *in, *element, *attributes;
} ziMjcfWords;

/* clang-format off */
static const ziMjcfWords zi_mjcf_words[] = {
    {"actuator", "adhesion",
     " body class ctrlrange delay forcelimited forcerange gain group interp name nsample user "},
    {"actuator", "cylinder",
     " area armature bias class cranklength cranksite ctrllimited ctrlrange damping delay diameter forcelimited "
     "forcerange gear group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon "
     "timeconst user "},
    {"actuator", "damper",
     " armature class cranklength cranksite ctrlrange damping delay forcelimited forcerange gear group interp "
     "joint jointinparent kv lengthrange name nsample refsite site slidersite tendon user "},
    {"actuator", "dcmotor",
     " armature class cogging controller cranklength cranksite ctrllimited ctrlrange damping delay gear group "
     "inductance input interp joint jointinparent lengthrange lugre motorconst name nominal nsample refsite "
     "resistance saturation site slidersite tendon thermal user "},
    {"actuator", "general",
     " actdim actearly actlimited actrange armature biasprm biastype body class cranklength cranksite "
     "ctrllimited ctrlrange damping delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype gear "
     "group inheritrange input interp joint jointinparent lengthrange name nsample refsite site slidersite "
     "tendon user velrange "},
    {"actuator", "intvelocity",
     " actlimited actrange armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay "
     "forcelimited forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name "
     "nsample refsite site slidersite tendon user "},
    {"actuator", "motor",
     " armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange gear "
     "group interp joint jointinparent lengthrange name nsample refsite site slidersite tendon user "},
    {"actuator", "muscle",
     " armature class cranklength cranksite ctrllimited ctrlrange damping delay force forcelimited forcerange "
     "fpmax fvmax gear group interp joint jointinparent lengthrange lmax lmin name nsample range scale "
     "slidersite tausmooth tendon timeconst user vmax "},
    {"actuator", "orientation",
     " class ctrlrange dampratio delay forcelimited forcerange group input interp joint kp kv name nsample "
     "refsite site user "},
    {"actuator", "pid",
     " armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay ffrange forcelimited "
     "forcerange gear group imax inheritrange input interp joint jointinparent ki kp kv lengthrange name "
     "nsample posrange refsite site slewmax slidersite tendon user velrange "},
    {"actuator", "plugin", 0},
    {"actuator", "position",
     " armature class cranklength cranksite ctrllimited ctrlrange damping dampratio delay forcelimited "
     "forcerange gear group inheritrange interp joint jointinparent kp kv lengthrange name nsample refsite "
     "site slidersite tendon timeconst user "},
    {"actuator", "velocity",
     " armature class cranklength cranksite ctrllimited ctrlrange damping delay forcelimited forcerange gear "
     "group interp joint jointinparent kv lengthrange name nsample refsite site slidersite tendon user "},
    {"asset", "hfield", 0},
    {"asset", "material",
     " class emission metallic name reflectance rgba roughness shininess specular texrepeat texture texuniform "},
    {"asset", "mesh",
     " builtin class content_type face file inertia material maxhullvert name normal params refpos refquat "
     "scale smoothnormal texcoord vertex "},
    {"asset", "model", " content_type file name "},
    {"asset", "skin", 0},
    {"asset", "texture", 0},
    {"body", "attach", " body frame model prefix "},
    {"body", "body", " axisangle childclass euler fuse gravcomp mocap name pos quat simple sleep user xyaxes zaxis "},
    {"body", "camera",
     " axisangle class euler focal focalpixel fovy ipd mode name output pos principal principalpixel projection "
     "quat resolution sensorsize target user xyaxes zaxis "},
    {"body", "composite", 0},
    {"body", "flexcomp", 0},
    {"body", "frame", " axisangle childclass euler name pos quat xyaxes zaxis "},
    {"body", "freejoint", " align group name "},
    {"body", "geom",
     " adhesion axisangle castshadow class conaffinity condim contype density euler fitscale fluidcoef "
     "fluidshape friction fromto gap group hfield margin mass material mesh name pos priority quat rgba "
     "shellinertia size solimp solmix solref surfacevel type user xyaxes zaxis "},
    {"body", "inertial", " axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis "},
    {"body", "joint",
     " actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis class damping frictionloss group "
     "limited margin name pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper "
     "springref springyield stiffness type user "},
    {"body", "light",
     " active ambient attenuation bulbradius castshadow class cutoff diffuse dir directional exponent intensity "
     "mode name pos range softness specular target texture type "},
    {"body", "plugin", 0},
    {"body", "replicate", " count euler offset prefix sep "},
    {"body", "site",
     " axisangle class euler fromto group material mesh name pos quat rgba size type user xyaxes zaxis "},
    {"compiler", "lengthrange",
     " accel interval inttotal maxforce mode timeconst timestep tolrange useexisting uselimit "},
    {"default", "adhesion", " ctrlrange delay forcelimited forcerange gain group interp nsample user "},
    {"default", "camera",
     " axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel projection quat "
     "resolution sensorsize user xyaxes zaxis "},
    {"default", "cylinder",
     " area armature bias cranklength ctrllimited ctrlrange damping delay diameter forcelimited forcerange gear "
     "group interp nsample timeconst user "},
    {"default", "damper",
     " armature cranklength ctrlrange damping delay forcelimited forcerange gear group interp kv nsample user "},
    {"default", "dcmotor",
     " armature cogging controller cranklength ctrllimited ctrlrange damping delay gear group inductance input "
     "interp lugre motorconst nominal nsample resistance saturation thermal user "},
    {"default", "default", " class "},
    {"default", "equality", " active solimp solref "},
    {"default", "general",
     " actdim actearly actlimited actrange armature biasprm biastype cranklength ctrllimited ctrlrange damping "
     "delay dynprm dyntype ffrange forcelimited forcerange gainprm gaintype gear group inheritrange input "
     "interp nsample user velrange "},
    {"default", "geom",
     " adhesion axisangle castshadow conaffinity condim contype density euler fitscale fluidcoef fluidshape "
     "friction fromto gap group hfield margin mass material mesh pos priority quat rgba shellinertia size "
     "solimp solmix solref surfacevel type user xyaxes zaxis "},
    {"default", "intvelocity",
     " actlimited actrange armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited "
     "forcerange gear group inheritrange interp kp kv nsample user "},
    {"default", "joint",
     " actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping frictionloss group limited "
     "margin pos range ref solimpfriction solimplimit solreffriction solreflimit springdamper springref "
     "springyield stiffness type user "},
    {"default", "light",
     " active ambient attenuation bulbradius castshadow cutoff diffuse dir directional exponent intensity mode "
     "pos range softness specular type "},
    {"default", "material",
     " emission metallic reflectance rgba roughness shininess specular texrepeat texture texuniform "},
    {"default", "mesh", " inertia maxhullvert scale "},
    {"default", "motor",
     " armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp "
     "nsample user "},
    {"default", "muscle",
     " armature cranklength ctrllimited ctrlrange damping delay force forcelimited forcerange fpmax fvmax gear "
     "group interp lmax lmin nsample range scale timeconst user vmax "},
    {"default", "orientation",
     " ctrlrange dampratio delay forcelimited forcerange group input interp kp kv nsample user "},
    {"default", "pair", " adhesion condim friction gap margin solimp solref solreffriction "},
    {"default", "pid",
     " armature cranklength ctrllimited ctrlrange damping dampratio delay ffrange forcelimited forcerange gear "
     "group imax inheritrange input interp ki kp kv nsample posrange slewmax user velrange "},
    {"default", "position",
     " armature cranklength ctrllimited ctrlrange damping dampratio delay forcelimited forcerange gear group "
     "inheritrange interp kp kv nsample timeconst user "},
    {"default", "site", " axisangle euler fromto group material mesh pos quat rgba size type user xyaxes zaxis "},
    {"default", "tendon",
     " actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited margin material range "
     "rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness user width "},
    {"default", "texture", 0},
    {"default", "velocity",
     " armature cranklength ctrllimited ctrlrange damping delay forcelimited forcerange gear group interp kv "
     "nsample user "},
    {"equality", "connect", " active anchor body1 body2 class name site1 site2 solimp solref "},
    {"equality", "flex", " active class flex name solimp solref "},
    {"equality", "flexstrain", " active cell class flex name solimp solref "},
    {"equality", "joint", " active class joint1 joint2 name polycoef solimp solref "},
    {"equality", "tendon", " active class name polycoef solimp solref tendon1 tendon2 "},
    {"equality", "weld", " active anchor body1 body2 class name relpose site1 site2 solimp solref torquescale "},
    {"fixed", "joint", " coef joint "},
    {"geom", "plugin", 0},
    {"keyframe", "key", " act ctrl mpos mquat name plastic qpos qvel time "},
    {"material", "layer", 0},
    {"mesh", "plugin", 0},
    {"mujoco", "actuator", " "},
    {"mujoco", "asset", " "},
    {"mujoco", "compiler",
     " alignfree angle assetdir autolimits balanceinertia boundinertia boundmass conflict convexhull coordinate "
     "discardvisual eulerseq exactmeshinertia fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir "
     "passthrough savecanonical savecompiled saveinertial settotalmass strippath texturedir usethread "},
    {"mujoco", "contact", 0},
    {"mujoco", "custom", 0},
    {"mujoco", "default", " class "},
    {"mujoco", "deformable", 0},
    {"mujoco", "equality", " "},
    {"mujoco", "extension", 0},
    {"mujoco", "keyframe", " "},
    {"mujoco", "option",
     " actuatorgroupdisable apirate ccd_iterations ccd_tolerance collision cone density gravity impratio "
     "integrator iterations jacobian ls_iterations ls_tolerance magnetic mpr_iterations mpr_tolerance "
     "noslip_iterations noslip_tolerance o_friction o_margin o_solimp o_solref sdf_initpoints sdf_iterations "
     "sleep_tolerance solver timestep tolerance viscosity wind "},
    {"mujoco", "sensor", 0},
    {"mujoco", "size", 0},
    {"mujoco", "statistic", 0},
    {"mujoco", "tendon", " "},
    {"mujoco", "visual", 0},
    {"mujoco", "worldbody", " childclass name "},
    {"option", "flag",
     " actuation autoreset clampctrl constraint contact damper diagexact energy equality eulerdamp filterparent "
     "frictionloss fwdinv gravity invdiscrete ipc island limit midphase multiccd nativeccd override refsafe "
     "sensor sleep speculative spring warmstart "},
    {"spatial", "geom", " geom sidesite "},
    {"spatial", "pulley", " divisor "},
    {"spatial", "site", " site "},
    {"tendon", "fixed",
     " actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin name range "
     "solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness user "},
    {"tendon", "spatial",
     " actuatorfrclimited actuatorfrcrange armature class damping frictionloss group limited margin material "
     "name range rgba solimpfriction solimplimit solreffriction solreflimit springlength springyield stiffness "
     "user width "},
};
/* clang-format on */

#endif
